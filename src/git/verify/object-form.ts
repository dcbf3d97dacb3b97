import type { GitObject } from '../parse/git-object.ts'

/** A person and a time: `Ada King <ada@example.org> 1700000000 +0100`. */
const PERSON = /^[^<>\n]* <[^<>\n]*> (?:0|[1-9]\d{0,18}) [+-]\d{4}$/

/** Bytes of headers that are looked at; parents and a signature fit. */
const HEADERS = 2 ** 16

/**
 * Says how a commit or tag differs from how Git writes it, where `git fsck` calls that an error; undefined if it does not.
 * Servers that check what is pushed refuse such an object.
 */
export function formOfText({ type, content }: GitObject): string | undefined {
  const end = content.indexOf('\n\n')
  const lines = content.toString('latin1', 0, end < 0 || end > HEADERS ? HEADERS : end).split('\n')
  if (type === 'tag') {
    const tagger = lines.find((line) => line.startsWith('tagger '))
    return tagger === undefined ? undefined : formOfPerson(tagger)
  }
  let at = 1
  while (lines[at]?.startsWith('parent ')) at++
  for (const role of ['author', 'committer']) {
    const line = lines[at++]
    if (!line?.startsWith(`${role} `)) return `it has no ${role} where Git expects one`
    const wrong = formOfPerson(line)
    if (wrong !== undefined) return wrong
    if (role === 'author' && lines[at]?.startsWith('author ')) return 'it has several authors'
  }
  return undefined
}

function formOfPerson(line: string): string | undefined {
  const [role = ''] = line.split(' ', 1)
  if (PERSON.test(line.slice(role.length + 1))) return undefined
  return /<[^<>]*>/.test(line)
    ? `its ${role} has no valid name or date`
    : `its ${role} has no valid e-mail address`
}

const SLASH = 0x2f

/** Receives an entry of a tree, and where its name is. */
export type VisitName = (isFolder: boolean, from: number, to: number) => string | undefined

/**
 * Creates a check of the names in a tree, which Git sorts as if those of folders ended with a slash, and has once. It says what is
 * wrong with an entry.
 */
export function createNameCheck(content: Buffer): VisitName {
  let last: { isFolder: boolean; from: number; to: number } | undefined
  /** Files whose names begin the name of the entry: a folder of the same name may come much later. */
  const files: string[] = []
  const latin1Between = (from: number, to: number) => content.toString('latin1', from, to)
  return (isFolder, from, to) => {
    const before = last
    last = { isFolder, from, to }
    if (!before) return undefined
    let [i, j] = [before.from, from]
    while (i < before.to && j < to && content[i] === content[j]) {
      i++
      j++
    }
    const isWhole = i === before.to
    if (isWhole && j === to) return 'a name is in the folder twice'
    const end = (entry: { isFolder: boolean }) => (entry.isFolder ? SLASH : 0)
    const [a, b] = [isWhole ? end(before) : content[i], j === to ? end(last) : content[j]]
    if ((a as number) > (b as number)) return 'its entries are not sorted'
    if (isWhole && !before.isFolder) files.push(latin1Between(before.from, before.to))
    if (files.length === 0) return undefined
    const name = latin1Between(from, to)
    while (files.length > 0 && !name.startsWith(files.at(-1) as string)) files.pop()
    return isFolder && files.at(-1) === name ? 'a name is in the folder twice' : undefined
  }
}
