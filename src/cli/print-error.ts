import { type ArchiveError, describePlace, type ErrorCode } from '../base/errors.ts'
import { VERSION } from '../base/version.ts'
import type { ExitCode } from './command/exit-codes.ts'
import type { Io } from './command/io.ts'
import { ownText, safe } from './command/safe-text.ts'
import { escapeControls, escapeControlsInJson } from './output/escape-controls.ts'
import { stylesFor } from './output/styles.ts'
import { remedyFor } from './remedies.ts'

// Every other code is about an archive or database.
const EXIT: Partial<Record<ErrorCode, ExitCode>> = {
  usage: 2,
  'option-invalid': 2,
  'query-invalid': 2,
  'query-writes': 2,
  'table-empty': 2,
  'search-invalid': 2,
  'output-exists': 2,
  'record-ambiguous': 2,
  'archive-not-found': 2,
  'database-not-found': 2,
  'entry-not-found': 1,
  'record-not-found': 1,
  'records-not-found': 1,
  'repository-not-found': 1,
  'map-invalid': 2,
  'map-collision': 2,
  'map-incomplete': 1,
  'person-not-found': 1,
  'label-not-found': 1,
  'milestone-not-found': 1,
  'kind-not-found': 2,
  'git-revision-not-found': 1,
  'git-path-not-found': 1,
  'accounts-invalid': 2,
  'package-missing': 2,
  'target-failed': 4,
  'address-in-use': 4,
  'address-refused': 4,
  'server-unreachable': 4,
  'server-failed': 4,
  'server-insecure': 4,
  'credentials-missing': 4,
  'credentials-refused': 4,
  'otp-required': 4,
  'sso-required': 4,
  'rate-limited': 4,
  'preview-refused': 4,
  'request-refused': 4,
  'migration-not-found': 1,
  'migration-failed': 1,
  'migration-timeout': 4,
  'archive-not-ready': 1,
  'archive-gone': 1,
  'download-changed': 4,
  'check-failed': 1,
  'name-taken': 4,
  interrupted: 130,
}

/** Maximum characters of an error message. */
const LONGEST = 2_000

/** Prints an error as `marc: place: message` and its remedy, or with `json` as an object. */
export function printError(
  error: ArchiveError,
  { stderr, env }: Io,
  { json }: { json: boolean },
): ExitCode {
  const { code, message, place, limit } = error
  const remedy = remedyFor(error)
  if (json) {
    const text = JSON.stringify({ error: { code, message, place, limit, remedy } })
    stderr.write(safe`${escapeControlsInJson(text)}\n`)
  } else {
    const { red } = stylesFor(stderr, env)
    const where = describePlace(place)
    const text = where ? `${where}: ${message}` : message
    // It may quote megabytes of an archive.
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
    stderr.write(safe`${red(safe`marc:`)} ${escapeControls(shown)}\n`)
    if (remedy) stderr.write(safe`${escapeControls(remedy)}\n`)
  }
  return EXIT[code] ?? 3
}

/** Prints what is needed to report a fault of this program. */
export function printBug(error: unknown, { stderr }: Io): ExitCode {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  stderr.write(ownText(`marc ${VERSION} crashed on Node.js ${process.version}:\n`))
  stderr.write(safe`${stack.split('\n').map(escapeControls).join('\n')}\n`)
  stderr.write(safe`This is a bug. Please report it with these lines.\n`)
  return 3
}
