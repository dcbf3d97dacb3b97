import { ArchiveError, type Place } from '../../errors.ts'

/** A word as a shell takes it, so that a hint with a name out of an archive can be copied. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** An error in how a command was called, with a hint what to type instead. */
export class UsageError extends ArchiveError {
  readonly hint: string | undefined

  constructor(message: string, hint?: string, place: Place = {}) {
    super('usage', message, place)
    this.hint = hint
  }

  override get remedy(): string {
    return this.hint ?? 'See: marc --help'
  }

  /** The same error; one without a hint points to the help of this command. */
  in(command: string): UsageError {
    return new UsageError(this.message, this.hint ?? `See: marc ${command} --help`, this.place)
  }
}
