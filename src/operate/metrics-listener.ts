/** Where `/metrics` is served: on a separate port, on the main port with a token, or on both. */

import { openListener, type Listener } from '../http/listener.ts'
import { answerProbes, type Probes } from '../http/probes.ts'
import type { MetricsSettings } from '../config/config.ts'
import type { Readiness } from './readiness.ts'
import type { ServiceMetrics } from './service-metrics.ts'

interface ServiceProbes {
  /** For the main port. */
  readonly main: Probes
  /** For the port of metrics. */
  readonly own: (Probes & Pick<MetricsSettings, 'host'> & { readonly port: number }) | undefined
}

/** Where the settings serve metrics. */
export function probesOf(
  settings: MetricsSettings | null,
  readiness: Readiness,
  metrics: ServiceMetrics | null,
): ServiceProbes {
  const shared = { readiness: () => readiness.check() }
  if (!settings || !metrics) return { main: shared, own: undefined }
  const { host, port, token } = settings
  const text = () => metrics.text()
  return {
    main: token === null ? shared : { ...shared, metrics: { text, token } },
    own: port === null ? undefined : { ...shared, host, port, metrics: { text, token: null } },
  }
}

/** Opens the metrics port. It serves only probes. */
export async function openMetricsListener({
  host,
  port,
  ...probes
}: NonNullable<ServiceProbes['own']>): Promise<Listener> {
  const listener = await openListener(host, port, { probes: answerProbes(probes) })
  listener.answerWith((_, response) => response.writeHead(404).end())
  return listener
}
