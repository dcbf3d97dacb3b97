import { EVENT_TYPES } from '../records/kinds/event-types.ts'
import type { KindName } from '../records/kinds/kinds.ts'
import { memberRule } from './member-rule.ts'
import { type Breach, type Rule, shownValue } from './rule.ts'
import { recordsWhere, says, words } from './sql/record-select.ts'

const LEVELS = ['off', 'non_admins', 'everyone']

/** The texts that a member may have, by its kind and path or, in all kinds, by its path. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'milestones state': ['open', 'closed'],
  'releases state': ['published', 'draft'],
  'teams privacy': ['closed', 'secret'],
  'teams permissions[].access': ['pull', 'push', 'admin'],
  'protected_branches pull_request_reviews_enforcement_level': LEVELS,
  'protected_branches required_status_checks_enforcement_level': LEVELS,
  formatter: ['markdown', 'email'],
  side: ['left', 'right'],
  start_side: ['left', 'right'],
  'reactions[].content': ['+1', '-1', 'heart', 'tada', 'rocket', 'eyes', 'smile', 'thinking_face'],
}

/** The numbers that a member may have. */
const NUMBERS: readonly (readonly [kind: KindName, member: string, numbers: readonly number[]])[] =
  [
    ['pull_request_reviews', 'state', [0, 1, 30, 40, 50]],
    ['pull_request_review_comments', 'state', [0, 1]],
    ['protected_branches', 'block_deletions_enforcement_level', [0, 1, 2]],
    ['protected_branches', 'block_force_pushes_enforcement_level', [0, 1, 2]],
  ]

const EVENTS = EVENT_TYPES.map(({ event }) => event)

const textsOf = (path: string, kind: string): readonly string[] =>
  TEXTS[`${kind} ${path}`] ?? TEXTS[path] ?? []

const isOther = (text: string, known: readonly string[]) =>
  `${text} NOT IN (${known.map(words).join(', ')})`

const MESSAGE = (known: readonly unknown[], value: string) =>
  `must be one of ${known.join(', ')}, but is ${value}`

const ofTexts = memberRule({
  code: 'value-unknown',
  severity: 'warning',
  summary: 'A state, format or level that no known record has is refused or misread',
  evidence: { seenIn: '7,705 records, and in the records of exporters' },
  source: 'observed in real exports',
  about: ({ text }, kind) => textsOf(text, kind).length > 0,
  breach(value, { text }, { name }) {
    const known = textsOf(text, name)
    return known.includes(value) ? undefined : MESSAGE(known, shownValue(value))
  },
  wrong: (value, { text }, kind) => isOther(value, textsOf(text, kind)),
})

/** Values that are one of a few. */
export const knownValueRules: readonly Rule[] = [
  {
    ...ofTexts,
    run(database, faults) {
      ofTexts.run(database, faults)
      for (const [kind, member, numbers] of NUMBERS) {
        const own = `o.${member}`
        const where = `typeof(${own}) = 'integer' AND ${own} NOT IN (${numbers.join(', ')})`
        faults.addAll(recordsWhere(kind, where, says(words(`${member} is `), own)))
      }
    },
    test: (subject): Breach[] => [
      ...(ofTexts.test?.(subject) ?? []),
      ...NUMBERS.flatMap(([kind, member, numbers]) => {
        const value = kind === subject.name ? subject.record[member] : undefined
        if (!Number.isSafeInteger(value) || numbers.includes(value as number)) return []
        return [{ member, message: MESSAGE(numbers, String(value)) }]
      }),
    ],
  },
  memberRule({
    code: 'event-unknown',
    severity: 'note',
    summary: 'An event that no known record has may be left out of the timeline',
    evidence: { seenIn: '2,504 events' },
    source: 'observed in real exports; host documentation',
    about: ({ text }, kind) => kind === 'issue_events' && text === 'event',
    breach: (value) =>
      EVENTS.includes(value) ? undefined : `must be a known event, but is ${shownValue(value)}`,
    wrong: (value) => isOther(value, EVENTS),
  }),
]
