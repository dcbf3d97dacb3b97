import { basename, isAbsolute } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { openGitClones } from '../../rest/git/git-clones.ts'
import { createGitRunner } from '../../rest/git/upload-pack.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { safe } from '../command/safe-text.ts'
import { AdvisedError, shellWord, UsageError } from '../command/usage-error.ts'
import { writeAll } from '../output/write-all.ts'
import { cloneFolder, openCacheFolder } from '../sources/cache-folder.ts'
import { openReadable } from '../sources/open-readable.ts'
import { nameRepository } from '../sources/with-repository.ts'

const NEWLINE = 10
const LONGEST_LINE = 1_000

/**
 * Answers Git as a remote helper: `git clone marc::archive.db#owner/name` runs `git-remote-marc <remote> <address>`. Git asks
 * for a connection, and `git upload-pack` on a bare clone answers it, so everything works that works with a server.
 *
 * @throws `UsageError` for an address that names no source or no repository; otherwise as `openReadable` and
 *   `cloneRepository` do
 */
export async function answerRemote([, address = '']: readonly string[], io: Io): Promise<ExitCode> {
  const at = address.lastIndexOf('#')
  if (address === '' || at === 0 || at === address.length - 1) {
    const hint = 'Clone with: git clone marc::<source>#<owner/name>'
    throw new UsageError('expected an address such as marc::archive.db#owner/name', hint)
  }
  const source = at < 0 ? address : address.slice(0, at)
  const name = at < 0 ? undefined : address.slice(at + 1)
  const input = io.stdin[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const lines = createLineReader(input)
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) {
    if (line === '') return 0
    if (line === 'capabilities') await writeAll(io.stdout, [safe`connect\n\n`])
    else if (line === 'connect git-upload-pack') {
      return serve(source, name, lines.rest, io)
    } else if (line.startsWith('connect ')) {
      const error = new ArchiveError('git-unsupported', 'an archive takes no pushes')
      throw new AdvisedError(error, 'Push to another repository: git push <url> <branch>')
    } else if (!line.startsWith('option ')) {
      throw new ArchiveError('git-unsupported', 'Git asked for something unknown')
    } else await writeAll(io.stdout, [safe`unsupported\n`])
  }
  return 0
}

async function serve(
  source: string,
  name: string | undefined,
  input: AsyncIterable<Buffer>,
  io: Io,
): Promise<ExitCode> {
  openCacheFolder(io)
  const clones = openGitClones(cloneFolder(io))
  const runner = createGitRunner()
  const database: Database = await openSource(source, name, io)
  try {
    const folder = await clones.folderOf(database, (await nameRepository(database, name)).name)
    await writeAll(io.stdout, [safe`\n`])
    const protocol = io.env.GIT_PROTOCOL ?? null
    const output = runner.run(folder, { input, protocol, isAdvertisement: false, isLasting: true })
    await writeAll(io.stdout, output)
    return 0
  } finally {
    runner.close()
    await clones.close()
    database.close()
  }
}

async function openSource(source: string, name: string | undefined, io: Io): Promise<Database> {
  try {
    return await openReadable(source, io, { contents: 'git', writes: true })
  } catch (error) {
    const isMissing = error instanceof ArchiveError && error.code.endsWith('-not-found')
    if (!isMissing || isAbsolute(source)) throw error
    // Git fetches in the folder of the clone, wherever the clone was made.
    const address = shellWord(
      `marc::/path/to/${basename(source)}${name === undefined ? '' : `#${name}`}`,
    )
    throw new AdvisedError(
      error,
      `Name its absolute path; in a clone: git remote set-url origin ${address}`,
    )
  }
}

/** Reads lines; what comes after them can be read as bytes. */
function createLineReader(input: AsyncIterator<Buffer>) {
  let held = Buffer.alloc(0)
  return {
    async next(): Promise<string | undefined> {
      for (;;) {
        const end = held.indexOf(NEWLINE)
        if (end >= 0) {
          const line = held.toString('utf8', 0, end)
          held = held.subarray(end + 1)
          return line
        }
        if (held.length > LONGEST_LINE)
          throw new ArchiveError('git-unsupported', 'a line is too long')
        const { value, done } = await input.next()
        if (done) return undefined
        held = Buffer.concat([held, Buffer.from(value)])
      }
    },
    rest: (async function* () {
      if (held.length > 0) yield held
      for (let next = await input.next(); !next.done; next = await input.next()) yield next.value
    })(),
  }
}
