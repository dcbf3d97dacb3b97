import { type Column, type Kind, perKind } from '../kinds/kind.ts'
import { KINDS } from '../kinds/kinds.ts'
import type { RecordFacts } from '../statistics/record-facts.ts'
import { canonicalPattern, characters } from './canonical-pattern.ts'
import { scanCanonical } from './scan-canonical.ts'

/**
 * The result of `factsOf` for each record of an array; undefined unless all of them are canonical records of this kind and
 * their URLs have GitHub's shapes.
 */
export function canonicalFacts(kind: Kind, array: Buffer): RecordFacts[] | undefined {
  const { pattern, time, writer, repository, issue, pullRequest } = patternOf(kind)
  const facts: RecordFacts[] = []
  const areCanonical = scanCanonical(pattern, array, (match) => {
    facts.push({
      time: textIn(match, time),
      writer: textIn(match, writer),
      repository: textIn(match, repository) ?? textIn(match, issue) ?? textIn(match, pullRequest),
    })
  })
  return areCanonical ? facts : undefined
}

function textIn(match: RegExpExecArray, group: number): string | undefined {
  const text = group > 0 ? match[group] : undefined
  return text?.includes('\\') ? JSON.parse(`"${text}"`) : text
}

// A URL can be split into these parts in one way only, so matching never backtracks.
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

/** The number of each fact's group, from 1; 0 for none. */
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
    pattern: canonicalPattern(kind, {
      value: (pattern, name) => (names.includes(name) && patterns[name]) || pattern,
    }),
  }
})

const isText = ({ storage }: Column) => storage === 'text' || storage === 'time'
