import { ArchiveError } from '../errors.ts'

/** An error in how a command was called, with a hint what to type instead. */
export class UsageError extends ArchiveError {
  readonly hint: string

  constructor(message: string, hint = 'See: marc --help') {
    super('usage', message)
    this.hint = hint
  }

  override get remedy(): string {
    return this.hint
  }
}
