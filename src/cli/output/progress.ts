import { type SafeText, safe } from '../command/safe-text.ts'
import { cutToWidth } from './display-width.ts'
import { escapeControls } from './escape-controls.ts'
import { formatBytes, formatDuration, formatRate } from './quantities.ts'

export interface ProgressStream {
  write(text: SafeText): unknown
  isTTY?: boolean | undefined
  columns?: number | undefined
}

export interface ProgressOptions {
  label: string
  /** Total bytes, if known. */
  total?: number | undefined
  /** A bar that is redrawn, a line every few seconds, or nothing. Default: a bar on a terminal. */
  mode?: 'bar' | 'lines' | 'none' | undefined
  /** Milliseconds of a monotonic clock. */
  now?: (() => number) | undefined
}

export interface Progress {
  /** `detail` is called when something is shown. */
  update(bytesDone: number, detail?: () => string): void
  /** Erases the bar, for another message; the next update draws it again. */
  clear(): void
  finish(): void
}

const REDRAW_EVERY = 100
const LINE_EVERY = 5_000
// An earlier rate would be that of caches and buffers.
const STEADY_AFTER = 500
const BAR_WIDTH = 20

/** Narrower terminals show the numbers alone. */
const ROOM_FOR_BAR = 60
const ERASE_LINE = safe`\r\x1b[2K`
const nothing = () => {}

/** Shows the progress of a long task, at most as often as a person can read. */
export function showProgress(stream: ProgressStream, options: ProgressOptions): Progress {
  const { label, total, mode = stream.isTTY ? 'bar' : 'none' } = options
  const { now = () => performance.now() } = options
  if (mode === 'none') return { update: nothing, clear: nothing, finish: nothing }

  const start = now()
  const bar = mode === 'bar'
  let nextAt = bar ? start : start + LINE_EVERY
  let drawn = false
  let finished = false

  const clear = () => {
    if (drawn) stream.write(ERASE_LINE)
    drawn = false
  }
  return {
    update(bytesDone, detail) {
      const time = now()
      if (finished || time < nextAt) return
      const columns = stream.columns || 80
      const hasRoom = columns >= ROOM_FOR_BAR
      const line = [
        escapeControls(label),
        ...describeProgress({ done: bytesDone, total, elapsed: time - start, bar: bar && hasRoom }),
        ...(detail ? [escapeControls(detail())] : []),
      ]
      const text = line.filter(Boolean).join(' ')
      // Leave the last column free: some terminals wrap as soon as it is written.
      const cut = cutToWidth(text, columns - 1)
      stream.write(bar ? safe`${ERASE_LINE}${cut}` : safe`${text}\n`)
      drawn = bar
      nextAt = time + (bar ? REDRAW_EVERY : LINE_EVERY)
    },
    clear,
    finish() {
      clear()
      finished = true
    },
  }
}

interface Situation {
  done: number
  total: number | undefined
  elapsed: number
  bar: boolean
}

function describeProgress({ done, total, elapsed, bar }: Situation): SafeText[] {
  const perSecond = elapsed >= STEADY_AFTER ? (done / elapsed) * 1_000 : 0
  const rate = perSecond > 0 ? [formatRate(perSecond)] : []
  if (!total) return [formatBytes(done), ...rate]
  const share = Math.min(1, done / total)
  return [
    ...(bar ? [drawBar(share)] : []),
    safe`${Math.floor(share * 100)} %`,
    safe`${formatBytes(done)}/${formatBytes(total)}`,
    ...rate,
    ...(perSecond > 0 ? [safe`ETA ${formatWait(Math.max(0, total - done) / perSecond)}`] : []),
  ]
}

function drawBar(share: number): SafeText {
  const full = Math.floor(share * BAR_WIDTH)
  return safe`${safe`█`.repeat(full)}${safe`░`.repeat(BAR_WIDTH - full)}`
}

function formatWait(seconds: number): SafeText {
  const whole = Math.ceil(seconds)
  return whole < 60 ? safe`${whole} s` : formatDuration(whole * 1_000)
}
