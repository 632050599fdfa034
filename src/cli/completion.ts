/** weft completion: prints a script that completes commands and options in a shell. */

import { Argument, type Command } from 'commander'
import { print, type Terminal } from './terminal/terminal.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

export function addCompletionCommand(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('Print a script that completes weft commands in your shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText(
      'after',
      `
bash:  source <(weft completion bash)                                  in ~/.bashrc
zsh:   source <(weft completion zsh)                                   in ~/.zshrc, after compinit
fish:  weft completion fish > ~/.config/fish/completions/weft.fish`,
    )
    .action((shell: Shell) => print(terminal, SCRIPTS[shell](wordsOf(program))))
}

/** The words that can follow a command, keyed by the full command; '' is `weft` itself. */
type Words = ReadonlyMap<string, readonly string[]>

function wordsOf(program: Command): Words {
  const words = new Map<string, readonly string[]>()
  const visit = (command: Command, path: string) => {
    const subcommands = command.commands.map((one) => one.name())
    const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')
    words.set(path, [...subcommands, ...options, '--help'])
    for (const one of command.commands) visit(one, `${path} ${one.name()}`.trim())
  }
  visit(program, '')
  return words
}

const SCRIPTS: Readonly<Record<Shell, (words: Words) => string>> = {
  bash: bashScript,
  zsh: (words) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
  fish: fishScript,
}

function bashScript(words: Words): string {
  const cases = [...words].map(([path, list]) => `    '${path}') words='${list.join(' ')}' ;;`)
  return `_weft() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case $path in
${cases.join('\n')}
    esac
    [ -n "$words" ] || [ -z "$path" ] && break
    case $path in *' '*) path=\${path% *} ;; *) path='' ;; esac
  done
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current")) ;;
  esac
}
complete -F _weft weft`
}

function fishScript(words: Words): string {
  const lines = [...words].map(([path, list]) => {
    const seen = path.split(' ').filter(Boolean)
    const condition =
      seen.length === 0
        ? '__fish_use_subcommand'
        : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    return `complete -c weft -n '${condition}' -a '${list.join(' ')}'`
  })
  return lines.join('\n')
}
