import { cutToWidth } from './display-width.ts'
import { escapeControls } from './escape-controls.ts'
import { formatBytes, formatDuration, formatRate } from './quantities.ts'

export interface ProgressStream {
  write(text: string): unknown
  isTTY?: boolean | undefined
  columns?: number | undefined
}

export interface ProgressOptions {
  label: string
  /** Bytes to come, where known. */
  total?: number | undefined
  /** A bar that is redrawn, a plain line now and then, or nothing; by default a bar on a terminal. */
  mode?: 'bar' | 'lines' | 'none' | undefined
  /** Milliseconds of any steady clock. */
  now?: (() => number) | undefined
}

export interface Progress {
  update(bytesDone: number, detail?: string): void
  /** Takes the bar away to make room for another message; a later update draws it again. */
  clear(): void
  finish(): void
}

const REDRAW_EVERY = 100
const LINE_EVERY = 5_000
// Before that the rate is that of caches and buffers.
const STEADY_AFTER = 500
const BAR_WIDTH = 20
const ERASE_LINE = '\r\x1b[2K'
const nothing = () => {}

/** Shows how far a long task is. Never writes more often than a person can read. */
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
    update(bytesDone, detail = '') {
      const time = now()
      if (finished || time < nextAt) return
      const line = [
        escapeControls(label),
        ...describeProgress({ done: bytesDone, total, elapsed: time - start, bar }),
        escapeControls(detail),
      ]
      const text = line.filter(Boolean).join(' ')
      // The last column stays free: terminals wrap as soon as it is written.
      stream.write(bar ? ERASE_LINE + cutToWidth(text, (stream.columns || 80) - 1) : `${text}\n`)
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

function describeProgress({ done, total, elapsed, bar }: Situation): string[] {
  const perSecond = elapsed >= STEADY_AFTER ? (done / elapsed) * 1_000 : 0
  const rate = perSecond > 0 ? [formatRate(perSecond)] : []
  if (!total) return [formatBytes(done), ...rate]
  const share = Math.min(1, done / total)
  return [
    ...(bar ? [drawBar(share)] : []),
    `${Math.floor(share * 100)} %`,
    `${formatBytes(done)}/${formatBytes(total)}`,
    ...rate,
    ...(perSecond > 0 ? [`ETA ${formatWait(Math.max(0, total - done) / perSecond)}`] : []),
  ]
}

function drawBar(share: number): string {
  const full = Math.floor(share * BAR_WIDTH)
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full)
}

function formatWait(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : formatDuration(whole * 1_000)
}
