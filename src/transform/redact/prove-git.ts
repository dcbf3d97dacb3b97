import { join } from 'node:path'
import { type Database, openDatabase } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import { gitPath } from '../../git/objects/repository-files.ts'
import { readCommitsAndTags } from '../../git/rewrite/rewrite-history.ts'
import { loadArchive } from '../../load-archive/load-archive.ts'
import { createValueFinder } from './value-finder.ts'

/**
 * Loads a new archive from its own bytes, and looks for people who were replaced: in the headers of every commit and tag, also of
 * those that no ref leads to, and in lines such as `Co-authored-by:`. Throws `redaction-incomplete` with the repository, never
 * with the value.
 */
export async function proveAuthors(archive: string, people: ReadonlySet<string>): Promise<void> {
  const temporary = makeTemporaryFolder()
  try {
    const path = join(temporary.path, 'proof.db')
    await loadArchive(archive, path)
    const database = openDatabase(path)
    try {
      proveObjects(database, people)
    } finally {
      database.close()
    }
  } finally {
    temporary.remove()
  }
}

function proveObjects(database: Database, people: ReadonlySet<string>): void {
  const findPerson = createValueFinder(people)
  const repositories = database
    .prepare<[], string>(
      `SELECT DISTINCT repository FROM files WHERE role = 'git' AND repository IS NOT NULL`,
    )
    .pluck()
    .all()
  for (const repository of repositories) {
    for (const { oid, content } of readCommitsAndTags(database, repository)) {
      const text = content.toString('utf8')
      for (const line of linesAboutPeople(text)) {
        const { name, email } = personIn(line)
        const isLeft = people.has(name) || people.has(email)
        if (!isLeft && !findPerson(Buffer.from(line.replace(PSEUDONYM, '')))) continue
        const message = `an author is still named in the object ${oid}`
        throw new ArchiveError('redaction-incomplete', message, { entry: gitPath(repository, '') })
      }
    }
  }
}

/** The replacements. They are skipped, because a name that was removed may be a part of one. */
const PSEUDONYM =
  /person-[0-9a-hjkmnp-tv-z]{10}|[0-9a-hjkmnp-tv-z]{10}@redacted\.invalid|user-[0-9a-hjkmnp-tv-z]{10}@|\[(?:name|email)\]/g

/** Headers that name objects, and say what they are. */
const OTHERS = /^(?:tree|parent|object|type|tag|encoding) /

/** The values of headers, and of the lines of a message that credit an address. */
function* linesAboutPeople(text: string): Generator<string> {
  const found = text.indexOf('\n\n')
  const end = found < 0 ? text.length : found
  for (const header of text.slice(0, end).split('\n')) {
    // Lines that belong to the header before begin with a space.
    if (!OTHERS.test(header)) yield header.slice(header.indexOf(' ') + 1)
  }
  for (const [, value = ''] of text.slice(end).matchAll(/^[A-Za-z][A-Za-z-]*-by:(.*)$/gim)) {
    if (hasAddress(value)) yield value.trim()
  }
}

// These look at each character once: a line may have millions, and its author may be hostile.

/** The name and address in the value of a header: `Ada <ada@forge.example> 1714564800 +0200`. */
function personIn(line: string): { name: string; email: string } {
  const open = line.indexOf('<')
  const close = open < 0 ? -1 : line.indexOf('>', open)
  if (close < 0) return { name: '', email: '' }
  const name = line.slice(0, open).replace(/(?<![ \t])[ \t]+$/, '')
  return { name, email: line.slice(open + 1, close) }
}

/** Whether there is an address in angle brackets, or nothing but an address. */
function hasAddress(value: string): boolean {
  const word = value.trim()
  if (!/\s/.test(word) && word.slice(1, -1).includes('@')) return true
  const parts = value.split('>')
  return parts.slice(0, -1).some((part) => {
    const open = part.indexOf('<')
    return open >= 0 && part.includes('@', open)
  })
}
