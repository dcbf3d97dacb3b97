import { basename } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { type Command, SOURCES } from '../command/command.ts'
import { acceptedFlags, typedName } from '../command/foreign-options.ts'
import { AdvisedError, shellWord } from '../command/usage-error.ts'
import { RECOVER, REMEDIES, remedyFor, WITHOUT_OPTION } from '../remedies.ts'

/** The source is what does not exist: its name would be wrong in the remedy. */
const IS_MISSING = /^(archive|database)-not-found$/

/** Placeholders for the source in remedies. If a remedy has two, the first in this list is the source. */
const PLACEHOLDERS = ['<database>', '<archive>', '<source>']

/**
 * Writes the source that the command line names into the remedy of an error, so that the remedy can be copied and run. If
 * there are several, it is the one that the error is about.
 *
 * @param options the options and arguments as typed
 * @param command whose options the remedy may name
 */
export function nameSource(
  error: ArchiveError,
  options: Readonly<Record<string, unknown>>,
  command: Pick<Command, 'options'>,
): ArchiveError {
  const remedy = remedyFor(error)
  const own = fitting(remedy, error, command, options)
  const advice = IS_MISSING.test(error.code) ? own : filled(own, error, options)
  return advice === remedy ? error : new AdvisedError(error, advice)
}

/** A remedy that names only options of the command, and none that was tried. */
function fitting(
  remedy: string,
  error: ArchiveError,
  { options }: Pick<Command, 'options'>,
  typed: Readonly<Record<string, unknown>>,
) {
  if (error.code === 'source-damaged' && typed['source-form'] !== undefined) {
    return 'Leave --source-form out, so that the form is recognized, or name another form.'
  }
  const without = WITHOUT_OPTION[error.code]
  const isUsual = remedy === REMEDIES[error.code]
  if (isUsual && without && !Object.hasOwn(options, without.option)) return without.advice
  if (typed.salvage === true) return remedy.replace(`, ${RECOVER}`, '')
  return Object.hasOwn(options, 'salvage')
    ? remedy.replace(RECOVER, 'or recover what is readable with: --salvage')
    : remedy
}

function filled(
  remedy: string,
  { code, place }: ArchiveError,
  options: Readonly<Record<string, unknown>>,
): string {
  const source = sourceOf(place.archive, options)
  const placeholder = PLACEHOLDERS.find((each) => remedy.includes(each))
  // A word in the place of the repository is a revision if there is only one.
  const repository = code === 'git-revision-not-found' ? place.entry : options.repository
  const named =
    typeof repository === 'string'
      ? remedy.replace('<owner/name>', () => shellWord(repository))
      : remedy
  return source === undefined || placeholder === undefined
    ? named
    : named.replace(placeholder, () => shellWord(source))
}

/** The source that an error is about. Errors name archives without their folder: undefined if several have the name. */
function sourceOf(
  place: string | undefined,
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  const named = SOURCES.flatMap((name) => (options[name] ?? []) as string | string[])
  const files = named.filter((path) => path !== '-')
  if (place === undefined || files.includes(place)) return place ?? files[0]
  const [found, other] = files.filter((path) => basename(path) === place)
  return other === undefined ? found : undefined
}

/** Names the option of the command line in an error of the library about an option: `--all-refs` for `allRefs`. */
export function nameOption(error: ArchiveError, command: Command): ArchiveError {
  const { value: name = '' } = error
  const typed = typedName(name.replace(/^source\./, '')).replace(
    /[A-Z]/g,
    (letter) => `-${letter.toLowerCase()}`,
  )
  const isOption =
    error.code === 'option-invalid' && acceptedFlags(command).some(([flag]) => flag === typed)
  if (!isOption || error instanceof AdvisedError) return error
  const message = error.message.replace(`${name}: `, `--${typed}: `)
  return new ArchiveError(error.code, message, error.place, error.cause, error)
}
