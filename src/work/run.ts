/** The connection of a program to its caller. */
export interface Context<Progress = never> {
  /** Aborts when nobody wants the result any more. */
  readonly signal: AbortSignal
  /** Tells the caller how far the work is. */
  progress(value: Progress): void
  /** The memory of a piece that the caller has used, to be filled again. */
  reuse(): ArrayBuffer | undefined
}

/** A program: what it returns is the result; or pieces, if its caller asks for a stream. */
export type Run<Input, Output, Progress = never> = (
  input: Input,
  context: Context<Progress>,
) => Output | Promise<Output>

/** Any program. */
export type AnyRun = Run<never, unknown>

/** All programs by name. They are loaded when they are called. */
export type Programs = Readonly<Record<string, () => Promise<AnyRun>>>

/** A piece of a stream whose memory moves to the caller of a thread instead of being copied. */
export class Transferred<T> {
  readonly value: T
  readonly memory: readonly ArrayBuffer[]

  constructor(value: T, memory: readonly ArrayBuffer[]) {
    this.value = value
    this.memory = memory
  }
}
