import { percentDecoded } from '../../base/text.ts'

/** How references in texts are rewritten. */
export interface References {
  /** The address of an upload, such as `0123…/lid.png`; undefined if there is no such file. */
  upload(path: string): string | undefined
  /** The number of the pull request that a merge request became. */
  pull(number: number): number
  /** The number of an issue. */
  issue(number: number): number
  /** Names by which texts of the project call it. */
  names: readonly string[]
  /** Begins the addresses of pages of the project on its host. */
  page: string
  /** The address of the repository. */
  url: string
}

/**
 * A text with references as GitHub has them: `!12`, uploads, and addresses of issues and merge requests of the project. Code,
 * comments and definitions of links stay, and every other byte.
 */
export function withReferences(text: string, references: References): string {
  if (!/[!#]\d|uploads\/|\/(?:issues|merge_requests)\/\d/.test(text)) return text
  let fence = ''
  let isComment = false
  let wasBlank = true
  let isCode = false
  const lines = text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence) && /^[ `~\r]*$/.test(line)) fence = ''
      return line
    }
    if (mark !== '' && !isComment) {
      fence = mark
      return line
    }
    isCode = /^(?: {4}|\t)/.test(line) && (wasBlank || isCode)
    wasBlank = line.trim() === ''
    if (isCode) return line
    const { parts, endsIn } = outside(line, isComment)
    isComment = endsIn
    return parts
      .map(({ text: part, isText }) => (isText ? rewritten(part, references) : part))
      .join('')
  })
  return lines.join('\n')
}

/** The parts of a line: texts, and code and comments that stay. */
function outside(line: string, startsIn: boolean) {
  const parts: { text: string; isText: boolean }[] = []
  let isComment = startsIn
  let rest = line
  while (rest !== '') {
    if (isComment) {
      const end = rest.indexOf('-->')
      const length = end < 0 ? rest.length : end + 3
      parts.push({ text: rest.slice(0, length), isText: false })
      rest = rest.slice(length)
      isComment = end < 0
      continue
    }
    const comment = rest.indexOf('<!--')
    const part = comment < 0 ? rest : rest.slice(0, comment)
    parts.push(...withoutCode(part))
    rest = rest.slice(part.length)
    isComment = comment >= 0
  }
  return { parts, endsIn: isComment }
}

function withoutCode(text: string): { text: string; isText: boolean }[] {
  const marks = [...text.matchAll(/`+/g)]
  const parts: { text: string; isText: boolean }[] = []
  let from = 0
  // The next mark of each length, found from the end, so that a line of marks takes no longer than another.
  const next = new Map<number, number>()
  const ends = marks.map(() => -1)
  for (let i = marks.length - 1; i >= 0; i--) {
    const { length } = marks[i]?.[0] ?? ''
    ends[i] = next.get(length) ?? -1
    next.set(length, i)
  }
  for (let i = 0; i < marks.length; i++) {
    const end = ends[i] ?? -1
    if (end < 0) continue
    const start = marks[i]?.index ?? 0
    const last = marks[end]
    const stop = (last?.index ?? 0) + (last?.[0].length ?? 0)
    parts.push({ text: text.slice(from, start), isText: true })
    parts.push({ text: text.slice(start, stop), isText: false })
    from = stop
    i = end
  }
  parts.push({ text: text.slice(from), isText: true })
  return parts
}

const UPLOAD =
  /(?<![\w./-])((?:https?:\/\/[^\s()"'<>]{1,300}?)?(?:\/-\/project\/\d+)?)\/uploads\/([0-9a-f]{32})\/([^\s()"'<>[\]{}]+)/g
const THREAD = /(?<![\w!#&/.@-])((?:[A-Za-z0-9_][\w.-]*(?:\/[\w.-]+)*)?)([!#])(\d{1,9})(?![\w/])/g
const PAGE = /(https?:\/\/[^\s()"'<>]{1,300}?)\/(?:-\/)?(issues|merge_requests)\/(\d{1,9})(?![\w])/g

function rewritten(text: string, references: References): string {
  // The definition of a link.
  if (/^ {0,3}\[[^\]]+\]:/.test(text) && !text.includes('uploads/')) return text
  const { upload, pull, issue, names, page, url } = references
  const isOwn = (before: string) => before === '' || names.includes(before)
  return text
    .replace(UPLOAD, (all, before: string, hex: string, name: string) => {
      const isHere = before === '' || before.startsWith('/-/') || before.startsWith(page)
      return (
        (isHere && (upload(`${hex}/${name}`) ?? upload(`${hex}/${percentDecoded(name)}`))) || all
      )
    })
    .replace(PAGE, (all, before: string, kind: string, number: string) => {
      if (before !== page) return all
      const n = Number(number)
      return kind === 'issues' ? `${url}/issues/${issue(n)}` : `${url}/pull/${pull(n)}`
    })
    .replace(THREAD, (all, before: string, sign: string, number: string) => {
      if (!isOwn(before)) return all
      const n = Number(number)
      return sign === '!' ? `#${pull(n)}` : issue(n) === n ? all : `#${issue(n)}`
    })
}
