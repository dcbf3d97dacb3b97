import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds that a page waits for work: that on small databases is done by then. */
const PATIENCE = 1_500

/** Why something could not be answered. */
export interface Failure {
  readonly message: string
}

/** What work made; the part of it that is done; or why there is nothing. */
export type WorkState<Made> = Made | { readonly part: number } | Failure

/** Work in a process of its own that pages ask for. */
export interface PageWork<Made> {
  /** What it is made from. */
  readonly key: string
  /** What it gives once it has ended well. */
  readonly made: Made
  /** Its state when it has ended, or in a moment if it goes on. */
  state(): Promise<WorkState<Made>>
  stop(): void
}

/** How a process is asked for such work. */
export interface Asked {
  readonly in: 'process'
  readonly signal: AbortSignal
  progress(part: number): void
}

/** Starts work that gives `made` once `begin` has ended, and what `failureOf` says if that throws. */
export function startPageWork<Made>(
  key: string,
  begin: (asked: Asked) => Promise<unknown>,
  { made, failureOf }: { made: Made; failureOf(error: unknown): Failure },
): PageWork<Made> {
  let state: WorkState<Made> = { part: 0 }
  const stop = new AbortController()
  const progress = (part: number) => {
    state = { part }
  }
  const ended = begin({ in: 'process', signal: stop.signal, progress }).then(
    () => {
      state = made
    },
    (error) => {
      state = failureOf(error)
    },
  )
  return {
    key,
    made,
    async state() {
      await Promise.race([ended, delay(PATIENCE, undefined, { ref: false })])
      return state
    },
    stop: () => stop.abort(),
  }
}

/** The same of what was made before. */
export const endedWork = <Made>(key: string, made: Made): PageWork<Made> => ({
  key,
  made,
  state: async () => made,
  stop() {},
})
