/** A member who calls tools and imports files, one request after the other. */

import { setTimeout as sleep } from 'node:timers/promises'
import { callOf } from './calls.ts'
import { processorSecondsOf } from './machine.ts'
import type { Served } from './weft.ts'

export interface Rate {
  readonly perSecond: number
  /** By the processor time of the service alone, which other work on the machine changes less. */
  readonly perProcessorSecond: number
}

export class Caller {
  readonly #service: Served
  readonly #token: string

  constructor(service: Served, token: string) {
    this.#service = service
    this.#token = token
  }

  async call(tool: string, input: object): Promise<{ readonly text: string; readonly ms: number }> {
    const { path, headers, body } = callOf('legacy', this.#token, tool, input)
    const startedAt = performance.now()
    const text = await this.#ask(path, { method: 'POST', headers, body: body ?? '' })
    if (text.includes('"isError":true')) throw new Error(`${tool}: ${text}`)
    return { text, ms: performance.now() - startedAt }
  }

  async undo(activityId: string): Promise<void> {
    await this.call('undo', { activity_id: activityId })
  }

  /** Uploads, and measures the job alone. `expected` is what becomes of nearly every row. */
  async import(
    csv: string,
    rows: number,
    expected: 'created' | 'unchanged' | 'updated',
  ): Promise<Rate> {
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'text/csv' }
    const upload = await this.#ask('/api/uploads', { method: 'POST', headers, body: csv })
    const { upload_id } = JSON.parse(upload) as { upload_id: string }
    const { pid } = this.#service.process
    const [startedAt, usedBefore] = [Date.now(), processorSecondsOf(pid)]
    const { text } = await this.call('import_connections', { upload_id })
    const job = /"task_id":"(\d+)"/.exec(text.replaceAll('\\', ''))?.[1] ?? ''
    for (;;) {
      // Rarely: answering takes time of the service. Its clock tells when the job ended.
      await sleep(100)
      const told = JSON.parse(await this.#ask(`/api/jobs/${job}`, { headers })) as ReportCounts
      if (told.state === 'failed') throw new Error('the import failed')
      if (told.state !== 'succeeded') continue
      const [seconds, used] = [
        (Date.parse(told.finished_at ?? '') - startedAt) / 1000,
        processorSecondsOf(pid) - usedBefore,
      ]
      // A few invented people are alike enough to be taken for one.
      if ((told.result?.[expected] ?? 0) < rows * 0.97) throw new Error(JSON.stringify(told))
      return { perSecond: rows / seconds, perProcessorSecond: rows / used }
    }
  }

  async #ask(path: string, init: RequestInit): Promise<string> {
    const answer = await fetch(`http://127.0.0.1:${this.#service.port}${path}`, init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return text
  }
}

interface ReportCounts {
  readonly state: string
  readonly finished_at: string | null
  readonly result: Readonly<Record<'created' | 'unchanged' | 'updated', number>> | null
}
