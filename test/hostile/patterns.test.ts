import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

/** Patterns that look at a run from each of its characters, and why nobody can give them a long one. */
const BOUNDED: Readonly<Record<string, string>> = {
  '<(?:a|form|link|script|img|source|video|audio)\\b[^>]*>':
    'our own HTML, in which each < opens a tag that ends',
  '(<a\\b[^>]*?) href="(\\/[^"/?#]+)"': 'our own HTML, in which each < opens a tag that ends',
  '<span[^>]*>|<\\/span>': 'the HTML of the highlighter, which escapes each < of a text',
  '\\s*\\(version [^\\n]*$': 'a message of the server that the user named',
  '(?:(\\w+)\\.)?(\\w*)$': 'a line that a person types',
  '\\s*\\n\\s*': 'a line that a person types',
  '\\B(?=(?:\\d{3})+$)': 'the digits of a number',
  "[\\p{L}\\p{N}._%+'&~-]*$": 'what stands beside a value',
  '[.-]+$': 'what stands beside a value',
  '[-_. ]?\\d*$': 'the name of a file on a disk',
  '\\/*$': 'an address that the user gives',
}

/** A pattern of the source, and where it stands. */
interface Pattern {
  place: string
  pattern: RegExp
}

const LITERAL =
  /(?<=[=(,:?|&[\s!])\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g

/** The patterns that may take as many characters as there are. */
function patternsOf(path: string): Pattern[] {
  const text = readFileSync(join(ROOT, 'src', path), 'utf8')
  return [...text.matchAll(LITERAL)].flatMap(({ 1: source = '', 2: flags = '', index }) => {
    const line = text.slice(0, index).split('\n').length
    // A sticky pattern looks at one place alone.
    if (!/[*+]|\{\d+,\d{3,}|\{\d+,\}/.test(source) || flags.includes('y')) return []
    try {
      return [{ place: `${path}:${line}`, pattern: new RegExp(source, flags) }]
    } catch {
      return [] // a part of something else
    }
  })
}

/** Runs that may be long for a pattern: of each character in it, of pairs of them, and of its words. */
function runsFor({ source }: RegExp): string[] {
  const plain = source.replace(/\\[a-zA-Z]/g, '').replace(/[\\^$.*+?()|[\]{}]/g, '')
  const letters = [...new Set([' ', '\n', 'a', '0', ...plain])].slice(0, 14)
  const words = [...source.matchAll(/[A-Za-z<>@:#.-]{2,}/g)].map(([word]) => word).slice(0, 4)
  const pairs = letters.slice(0, 5).flatMap((a) => letters.slice(0, 5).map((b) => a + b))
  const units = [...new Set([...letters, ...pairs, ...words])]
  const starts = ['', 'a', ...words.slice(0, 1)]
  return units.flatMap((unit) =>
    starts.map((start) => `${start}${unit.repeat(LENGTH / unit.length)}\u0001`),
  )
}

const LENGTH = 8000
/** Milliseconds of the processor. What looks at each character a few times takes a hundredth of it. */
const LONGEST = 5

const isSlow = (pattern: RegExp, text: string): boolean => {
  const timeOf = () => {
    const before = process.threadCpuUsage()
    text.search(pattern)
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
  // The first times are those in which a pattern is compiled, or garbage collected.
  return timeOf() > LONGEST && timeOf() > LONGEST && timeOf() > LONGEST
}

test('P7: no pattern takes time that grows with the square of a run', THOROUGH, () => {
  const patterns = globSync('**/*.ts', { cwd: join(ROOT, 'src') }).flatMap(patternsOf)
  expect(patterns.length).toBeGreaterThan(300)
  const slow = patterns.filter(({ pattern }) =>
    runsFor(pattern).some((text) => isSlow(pattern, text)),
  )
  const unknown = slow.filter(({ pattern }) => !(pattern.source in BOUNDED))
  expect(unknown.map(({ place, pattern }) => `${place} ${pattern}`)).toEqual([])
  const sources = new Set(patterns.map(({ pattern }) => pattern.source))
  expect(Object.keys(BOUNDED).filter((source) => !sources.has(source))).toEqual([])
})
