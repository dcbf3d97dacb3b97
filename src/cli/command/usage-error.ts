import { ArchiveError, type Place } from '../../base/errors.ts'
import { crossesAs } from '../../work/messages.ts'

/** Quotes a word for a shell, so that a hint with a name from an archive can be copied. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** An error with advice that fits this case better than the remedy for its code. */
export class AdvisedError extends ArchiveError {
  readonly advice: string | undefined

  constructor(error: ArchiveError, advice: string | undefined) {
    super(error.code, error.message, error.place, error.cause, error)
    this.advice = advice
  }

  override at(outer: Place): AdvisedError {
    return new AdvisedError(super.at(outer), this.advice)
  }
}

/** An error in the command line, with a hint what to type instead. */
export class UsageError extends AdvisedError {
  constructor(message: string, hint?: string, place: Place = {}) {
    super(new ArchiveError('usage', message, place), hint)
  }

  /** The same error; one without a hint points to the help of this command. */
  in(command: string): UsageError {
    return new UsageError(this.message, this.advice ?? `See: marc ${command} --help`, this.place)
  }
}

// A child process says them to its parent.
crossesAs('AdvisedError', AdvisedError, (error, advice) => new AdvisedError(error, advice))
crossesAs(
  'UsageError',
  UsageError,
  ({ message, place }, hint) => new UsageError(message, hint, place),
)
