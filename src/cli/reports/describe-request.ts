import type { LogEntry } from '../../server/http/request-log.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes } from '../output/quantities.ts'
import { type SafeText, safe } from '../output/safe-text.ts'

/** A request on one line: time, request, status, size, duration, login, ID; a fault of ours below it. */
export function describeRequest(entry: LogEntry): SafeText {
  const { time, method, path, status, bytes, milliseconds, login, requestId, fault } = entry
  const line = [
    time.toISOString(),
    `${method} ${path}`,
    String(status),
    formatBytes(bytes),
    `${milliseconds.toFixed(1)} ms`,
    login ?? '-',
    requestId,
  ]
    .map(escapeControls)
    .join(' ')
  if (fault === undefined) return line
  return [line, ...fault.split('\n').map((text) => safe`  ${escapeControls(text)}`)].join('\n')
}
