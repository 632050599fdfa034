/** Finds what a lockfile lacks: optional packages for other platforms, and hashes. */

export interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly packages: Record<string, LockedPackage>
}

export interface MissingPackage {
  readonly path: string
  readonly entry: LockedPackage
}

/** The optional dependencies of all packages that have no entry, with the entries to add. */
export function missingOptionals({ packages }: Lockfile): MissingPackage[] {
  return Object.values(packages).flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => packages[`node_modules/${name}`] === undefined)
      .map(([name, version]) => ({
        path: `node_modules/${name}`,
        entry: { version, ...platformOf(name), ...(dev === true && { dev }), optional: true },
      })),
  )
}

/** Packages whose content npm could not verify, because they have no hash. The first entry is the project itself. */
export function unverifiable({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([path, { integrity }]) =>
    path === '' || integrity !== undefined ? [] : [path],
  )
}

/** A copy of `lockfile` without these packages and those that depend on them optionally, so that npm resolves them again. */
export function withoutPackages(lockfile: Lockfile, paths: readonly string[]): Lockfile {
  const left = new Set(paths)
  const kept = Object.entries(lockfile.packages).filter(
    ([path, { optionalDependencies = {} }]) =>
      path === '' ||
      (!left.has(path) &&
        !Object.keys(optionalDependencies).some((name) => left.has(`node_modules/${name}`))),
  )
  return { ...lockfile, packages: Object.fromEntries(kept) }
}

/** Names of platform packages contain the platform: `@oxlint/binding-linux-arm64-musl`, `…/linux-x64`. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const found =
    /(aix|android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|ppc64|riscv64|s390x|x64)(?:-(\w+))?$/.exec(
      name,
    )
  const [, os, cpu, abi = ''] = found ?? []
  if (os === undefined || cpu === undefined)
    throw new Error(`the name ${name} contains no platform`)
  const libc = os !== 'linux' || abi === '' ? undefined : abi.startsWith('musl') ? 'musl' : 'glibc'
  return { os: [os], cpu: [cpu], ...(libc !== undefined && { libc: [libc] }) }
}
