import { ArchiveError, type Place } from '../../errors.ts'

/** An error with advice that fits this case better than the remedy of its code. */
export class AdvisedError extends ArchiveError {
  readonly #advice: string

  constructor({ code, message, place, cause }: ArchiveError, advice: string) {
    super(code, message, place, cause)
    this.#advice = advice
  }

  override get remedy(): string {
    return this.#advice
  }

  override at(outer: Place): AdvisedError {
    return new AdvisedError(super.at(outer), this.#advice)
  }
}
