import type { Database } from '../../database/open-database.ts'
import { writeFile } from '../../files/write-file.ts'
import { resolveTarget, type Target } from '../../reading/resolve-target.ts'
import { ClientError } from '../client-error.ts'
import type { Session } from '../open-session.ts'
import { Patience } from '../patience.ts'
import { refusalOf } from '../read-refusal.ts'
import type { Incoming } from '../send-request.ts'
import { parseRedirect } from '../server-address.ts'

/** A line of the log of an import that is more than information. */
export interface LogFinding {
  /** The severity that the server gave it. */
  severity: 'warning' | 'error'
  /** The words of the server. */
  message: string
  /** The record that it names, if the archive has it. */
  record: Target | null
}

/** The log of an import. */
export interface ImportLog {
  /** All lines. */
  lines: number
  /** Lines that are warnings. */
  warnings: number
  /** Lines that are errors. */
  errors: number
  /** The first 1,000 warnings and errors. */
  findings: LogFinding[]
  /** The file that the log was written to; null if none was named. */
  file: string | null
}

/** Findings that are kept. */
const MOST_FINDINGS = 1000
/** Attempts in a row that bring nothing. */
const MOST_FRUITLESS = 6
/** How a store refuses an address, most often because it has expired. */
const STALE = [400, 403, 404, 410]

/** Where a log comes from, and what it is about. */
export interface LogSource {
  /** Asks the server for the address of the log, which expires. */
  address(): Promise<string>
  database: Database
  /** owner/name in the archive. */
  from: string
  /** The file to write it to. */
  file: string | undefined
}

/** Downloads the log of an import, writes it to a file, and finds the records that its lines name. */
export async function readLog(session: Session, source: LogSource): Promise<ImportLog> {
  const patience = new Patience(session, { retries: MOST_FRUITLESS, isOutage: isStale })
  for (;;) {
    try {
      return await readOnce(session, source)
    } catch (error) {
      if (!(await patience.allows(error))) throw error
    }
  }
}

const isStale = (error: unknown): boolean =>
  error instanceof ClientError && error.code === 'server-failed' && error.status !== undefined

async function readOnce(session: Session, source: LogSource): Promise<ImportLog> {
  const url = parseRedirect(await source.address(), new URL(session.server.base), session.server)
  const incoming = await session.send({ method: 'GET', url, isSigned: true })
  const { status, headers } = incoming
  if (status !== 200) {
    incoming.discard()
    if (!STALE.includes(status)) throw refusalOf({ status, headers, body: undefined })
    const message = `the address of the log is refused: status ${status}`
    throw new ClientError('server-failed', message, { status })
  }
  const log: ImportLog = {
    lines: 0,
    warnings: 0,
    errors: 0,
    findings: [],
    file: source.file ?? null,
  }
  if (source.file === undefined) {
    for await (const _ of readLines(incoming, log, source));
  } else {
    await writeFile(source.file, readLines(incoming, log, source), { force: true })
  }
  return log
}

/** A longer line is cut. */
const LONGEST_LINE = 2 ** 16

/** Passes the bytes on, and reads their lines on the way. */
async function* readLines(
  { body }: Incoming,
  log: ImportLog,
  source: LogSource,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = (lines.pop() as string).slice(0, LONGEST_LINE)
    for (const line of lines) addLine(line, log, source)
    yield piece
  }
  if (rest !== '') addLine(rest, log, source)
}

/** Adds a line such as `[2026-01-01T00:00:00Z] WARN -- message`; one of another form continues the one before. */
function addLine(line: string, log: ImportLog, source: LogSource): void {
  log.lines++
  const [, level = '', message = ''] = /^\[[^\]]*\] +(\w+) +-- (.*)$/.exec(line) ?? []
  const severity = /^WARN/i.test(level) ? 'warning' : /^(ERR|FATAL)/i.test(level) ? 'error' : null
  if (severity === null) return
  log[severity === 'warning' ? 'warnings' : 'errors']++
  if (log.findings.length === MOST_FINDINGS) return
  log.findings.push({ severity, message, record: recordIn(message, source) })
}

/** The first record that a text names, by its URL or its number. */
function recordIn(text: string, { database, from }: LogSource): Target | null {
  const urls = [...text.matchAll(/https?:\/\/[^\s"'<>()]+/g)].map(([url]) => trimmed(url))
  const numbers = [...text.matchAll(/(?:^|[\s(])([\w.-]+\/[\w.-]+)?#(\d{1,15})\b/g)].map(
    ([, repository = from, number]) => `${repository}#${number}`,
  )
  for (const name of [...urls, ...numbers]) {
    try {
      const [found] = resolveTarget(database, name)
      if (found) return found
    } catch {
      // Another text that looks like a name.
    }
  }
  return null
}

const trimmed = (url: string): string => url.replace(/(?<![.,;:!?\]}])[.,;:!?\]}]+$/, '')
