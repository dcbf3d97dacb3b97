import { SYSTEM_CLOCK } from '../../client/client-options.ts'
import type { DownloadOptions } from '../../client/download/download-archive.ts'
import type { WatchOptions } from '../../client/watch-migration.ts'
import type { OptionTable, Values } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { ownText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { showProgress } from '../output/progress.ts'
import { formatDuration } from '../output/quantities.ts'
import { durationOf } from './client-options.ts'
import { progressMode } from './shared-options.ts'

/** The options for how long to wait for a migration. */
export const WAITING_OPTIONS = {
  timeout: {
    value: '<duration>',
    describe: 'Give up after so long in all, such as 90s or 24h [24h for the export]',
  },
  interval: { value: '<duration>', describe: 'Time between polls [2s at first, up to 60s]' },
} as const satisfies OptionTable

type Typed = Partial<Values<typeof WAITING_OPTIONS>> & {
  quiet?: boolean | undefined
  verbose?: boolean | undefined
}

/** How a command waits: the options of each of its steps. */
export type Waiting = Pick<WatchOptions, 'timeout' | 'interval' | 'onState'>

/**
 * Waits as the options say, and prints each state on a terminal. The time begins now, for all steps of a command: `timeout` is
 * what is left of it.
 */
export function waitingOf(options: Typed, { stderr }: Io): Waiting {
  const isShown = !options.quiet && (options.verbose || stderr.isTTY === true)
  const timeout = durationOf('timeout', options.timeout)
  const interval = durationOf('interval', options.interval)
  const { now } = SYSTEM_CLOCK
  const start = now()
  return {
    get timeout() {
      return timeout && Math.max(0, Math.ceil(timeout - (now() - start)))
    },
    interval,
    onState({ id, state }, milliseconds) {
      if (!isShown) return
      const after = milliseconds < 1000 ? safe`` : safe` after ${formatDuration(milliseconds)}`
      stderr.write(safe`migration ${id} is ${ownText(state)}${after}\n`)
    },
  }
}

/** Bytes of a download after which the buffers that held them are collected. */
const COLLECTED = 2 * 2 ** 20

/** Shows the progress of a download: first of the part that is there, then of what comes in. Keeps its memory small. */
export function downloadProgress(options: Typed, { stderr, collectYoung }: Io) {
  const mode = progressMode(options)
  let step: string | undefined
  let shown: ReturnType<typeof showProgress> | undefined
  const finish = () => shown?.finish()
  let collected = 0
  const progress: NonNullable<DownloadOptions['progress']> = (done) => {
    if (Math.abs(done.bytes - collected) >= COLLECTED) {
      collected = done.bytes
      collectYoung?.()
    }
    if (done.step !== step) {
      finish()
      step = done.step
      const label = step === 'reading' ? 'verifying the part' : 'downloading'
      shown = showProgress(stderr, { label: escapeControls(label), total: done.total, mode })
    }
    shown?.update(done.bytes)
  }
  return { progress, finish }
}
