import type { JsonValue } from '../records/json/json.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { KINDS } from '../records/kinds/kinds.ts'
import { eachValue, type MemberPath, memberPaths } from '../records/kinds/member-paths.ts'
import type { Breach, Rule, Subject } from './rule.ts'
import { KNOWN_MEMBERS } from './sql/known-members.ts'
import { recordsWhere, says, shown, words } from './sql/record-select.ts'

/** A rule about the texts of single members, at any depth. */
interface MemberRule extends Omit<Rule, 'test' | 'run'> {
  /** Whether the rule applies to the member at this path. */
  readonly about: (path: MemberPath, kind: string) => boolean
  /** How a text breaks the rule, in words. */
  readonly breach: (
    value: string,
    path: MemberPath,
    subject: Subject,
    member: string,
  ) => string | undefined
  /** SQL for whether a text breaks the rule; false or NULL without a text. */
  readonly wrong: (value: string, path: MemberPath, kind: string) => string
}

export function memberRule({ about, breach, wrong, ...rule }: MemberRule): Rule {
  const selects = KNOWN_MEMBERS.filter(({ path, kind }) => about(path, kind)).map(
    ({ path, kind, text, isText, elements }) =>
      recordsWhere(
        kind,
        path.steps.length === 1
          ? `${text} IS NOT NULL AND (${wrong(text, path, kind)})`
          : `(${wrong(text, path, kind)}) AND ${isText}`,
        says(words(`${path.text} is `), shown(text)),
        elements,
      ),
  )
  return {
    ...rule,
    run(_, faults) {
      for (const select of selects) faults.addAll(select)
    },
    test: testMembers(about, (value, path, subject, member) =>
      typeof value === 'string' ? breach(value, path, subject, member) : undefined,
    ),
  }
}

const isUnreadable = (value: JsonValue, { steps, column }: MemberPath): boolean =>
  typeof value === 'string' &&
  steps.length === 1 &&
  ['text', 'time'].includes(column.storage) &&
  !value.isWellFormed()

/** Tests every value at these paths. The paths of each kind are determined once. */
export function testMembers(
  about: (path: MemberPath, kind: string) => boolean,
  breach: (
    value: JsonValue,
    path: MemberPath,
    subject: Subject,
    member: string,
  ) => string | undefined,
): (subject: Subject) => readonly Breach[] {
  const pathsOf = new Map(
    Object.entries(KINDS).map(([name, kind]) => [
      name,
      memberPaths(kind as Kind).filter((path) => about(path, name)),
    ]),
  )
  return (subject) => {
    const breaches: Breach[] = []
    const { record } = subject
    for (const path of pathsOf.get(subject.name) ?? []) {
      const test = (value: JsonValue, member: string) => {
        // A text with half a surrogate pair is stored in _extra, where SQL does not look.
        if (isUnreadable(value, path)) return
        const message = breach(value, path, subject, member)
        if (message !== undefined) breaches.push({ member, message })
      }
      const [name] = path.steps as [string]
      if (path.steps.length > 1) eachValue(record, path, test)
      // By far the most members are in the record itself.
      else if (Object.hasOwn(record, name)) test(record[name] as JsonValue, name)
    }
    return breaches
  }
}
