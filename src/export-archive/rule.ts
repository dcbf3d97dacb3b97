import type { Place, RuleCode } from '../errors.ts'
import type { JsonObject, JsonValue } from '../records/json.ts'
import type { Kind } from '../records/kind.ts'
import { eachValue, type MemberPath, memberPaths } from '../records/member-paths.ts'
import { type Requirement, requirementOf } from '../records/requirements.ts'
import type { Ledger } from './ledger.ts'

/** What importers want of a record, and how it is known that they do. */
export interface Rule {
  readonly code: RuleCode
  readonly source: string
  readonly why: string
  /** Where a record breaks the rule. */
  readonly test: (subject: Subject) => readonly Breach[]
}

/** The member that breaks a rule, and how. */
export interface Breach {
  readonly member: string
  readonly message: string
}

/** A record and its surroundings. */
export interface Subject {
  /** Of the kind, such as `issues`. */
  readonly name: string
  readonly kind: Kind
  readonly record: JsonObject
  readonly place: Place
  /** What urls look like, by kind. */
  readonly patterns: ReadonlyMap<string, RegExp>
  readonly ledger: Pick<Ledger, 'add' | 'name' | 'resolve'>
}

/** A rule about single members, wherever they stand. */
interface MemberRule extends Omit<Rule, 'test'> {
  /** Whether it is about the member at this path. */
  readonly about: (path: MemberPath, kind: string, requirement: Requirement) => boolean
  /** How the value at `member` breaks it. Is not asked about null unless `nulls` is set. */
  readonly breach: (
    value: JsonValue,
    path: MemberPath,
    subject: Subject,
    member: string,
  ) => string | undefined
  readonly nulls?: boolean
}

/** The rule that looks at the members it is about. Which these are is worked out once a kind. */
export function memberRule({ about, breach, nulls = false, ...rule }: MemberRule): Rule {
  const pathsOf = new Map<string, readonly MemberPath[]>()
  const choose = (name: string, kind: Kind): readonly MemberPath[] => {
    const requirement = requirementOf(name)
    const paths = memberPaths(kind).filter((path) => about(path, name, requirement))
    pathsOf.set(name, paths)
    return paths
  }
  return {
    ...rule,
    test(subject) {
      const breaches: Breach[] = []
      for (const path of pathsOf.get(subject.name) ?? choose(subject.name, subject.kind)) {
        eachValue(subject.record, path, (value, member) => {
          if (value === null && !nulls) return
          const message = breach(value, path, subject, member)
          if (message !== undefined) breaches.push({ member, message })
        })
      }
      return breaches
    },
  }
}

/** What is wrong with which record, in words. */
export function describeBreach(
  { name, record }: Pick<Subject, 'name' | 'record'>,
  { member, message }: Breach,
): string {
  const { url } = record
  return `${name}${typeof url === 'string' ? ` ${url}` : ''}: ${member} ${message}`
}

/** A value as a message shows it. */
export function shown(value: JsonValue): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
