import { type Column, type Kind, perKind } from '../kinds/kind.ts'
import { KINDS } from '../kinds/kinds.ts'
import type { RecordFacts } from '../statistics/record-facts.ts'
import { characters, plainPattern } from './canonical-pattern.ts'
import { eachPlain } from './scan-canonical.ts'

/** Plain records, of which only the facts were read. */
export interface PlainFacts {
  facts: RecordFacts[]
}

/**
 * What `factsOf` tells of each record of a file, an array of one kind; nothing unless all records are plain, and the
 * urls looked at are of the shapes that the host gives them.
 */
export function plainFacts(kind: Kind, array: Buffer): PlainFacts | undefined {
  const { pattern, time, writer, repository, issue, pullRequest } = patternOf(kind)
  const facts: RecordFacts[] = []
  const arePlain = eachPlain(pattern, array, (match) => {
    facts.push({
      time: textIn(match, time),
      writer: textIn(match, writer),
      repository: textIn(match, repository) ?? textIn(match, issue) ?? textIn(match, pullRequest),
    })
  })
  return arePlain ? { facts } : undefined
}

function textIn(match: RegExpExecArray, group: number): string | undefined {
  const text = group > 0 ? match[group] : undefined
  return text?.includes('\\') ? JSON.parse(`"${text}"`) : text
}

// Parts of a url, which can be told apart in one way only.
const PART = characters('/')
const HOST = `${PART}//${PART}`
const REPOSITORY = `"${HOST}/(${PART}/${PART})"`
const THREAD = `"${HOST}/(${PART}/${PART})/${PART}/${PART}"`

const PATTERNS: Readonly<Record<string, string>> = {
  created_at: `"(${characters()})"`,
  user: `"${HOST}/(?:${PART}/)*(${PART})"`,
  repository: REPOSITORY,
  issue: THREAD,
  pull_request: THREAD,
}

/** With the number of the group of each fact, from 1; 0 for none. */
const patternOf = perKind((kind) => {
  const isRepository = kind === KINDS.repositories
  const patterns = isRepository ? { ...PATTERNS, url: REPOSITORY } : PATTERNS
  const names = Object.entries(kind.columns)
    .filter(([name, column]) => name in patterns && isText(column))
    .map(([name]) => name)
  const group = (name: string) => names.indexOf(name) + 1
  return {
    time: group('created_at'),
    writer: group('user'),
    repository: group(isRepository ? 'url' : 'repository'),
    issue: group('issue'),
    pullRequest: group('pull_request'),
    pattern: plainPattern(kind, {
      value: (pattern, name) => (names.includes(name) && patterns[name]) || pattern,
    }),
  }
})

const isText = ({ storage }: Column) => storage === 'text' || storage === 'time'
