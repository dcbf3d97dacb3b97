import type { JsonValue } from '../../records/json.ts'
import { requirementOf } from '../../records/requirements.ts'
import type { Waiting } from '../ledger.ts'
import { describeBreach, memberRule, type Rule, type Subject, shown } from '../rule.ts'

const ROOT = 'tarball://root/'

/** Rules about what a record has to do with others and with files. What they learn is in the ledger. */
export const WORLD_RULES: readonly Rule[] = [
  memberRule({
    code: 'rule-url-shape',
    source: 'All urls of the host; the urls.json of exporters.',
    why: 'Importers take owner, repository and number out of urls.',
    about: ({ text }, kind) => text === 'url' || isLabel(text, kind),
    breach(value, { text }, { name, patterns }) {
      const pattern = patterns.get(isLabel(text, name) ? 'labels' : name)
      return typeof value !== 'string' || !pattern || pattern.test(value)
        ? undefined
        : `does not have the shape of its kind: ${shown(value)}`
    },
  }),
  memberRule({
    code: 'rule-url-repeated',
    source: 'No archive of the host has a url twice in a kind.',
    why: 'The url is the identity: of two records with one url, one is lost.',
    about: ({ text }, kind) => text === 'url' || isLabel(text, kind),
    breach: (value, { text }, { name, ledger }) =>
      typeof value !== 'string' || ledger.add(isLabel(text, name) ? 'labels' : name, value)
        ? undefined
        : `stands in an earlier record as well: ${shown(value)}`,
  }),
  memberRule({
    code: 'rule-reference',
    source: 'In whole archives of the host these references always lead somewhere.',
    why: 'What refers to a record that is not there is left out, or stops the import.',
    about: ({ text }, _, { resolves = [] }) => resolves.includes(text),
    breach(value, { column: { refersTo = [] } }, subject, member) {
      if (typeof value !== 'string') return undefined
      const message = () => `leads nowhere among ${refersTo.join(', ')}: ${shown(value)}`
      const waiting = () => waitingFor(subject, member, message())
      return subject.ledger.resolve(value, refersTo, waiting) ? undefined : message()
    },
  }),
  memberRule({
    code: 'rule-path',
    source: 'All paths of the host.',
    why: 'A file is looked for under the path that a record names, and nowhere else.',
    about: ({ text }, _, { files = {} }) => Object.hasOwn(files, text),
    breach: (value, { text }, { name }) =>
      typeof value !== 'string' || value === '' || pathNamed(value, text, name) !== undefined
        ? undefined
        : `must be ${ROOT} and a path of its kind, and is ${shown(value)}`,
  }),
  memberRule({
    code: 'rule-shared-path',
    source: 'Exporter of GitLab, which counts its files apart.',
    why: 'The first record imported takes the file away from the second.',
    about: ({ text }, _, { files = {} }) => Object.hasOwn(files, text),
    breach(value, { text }, subject, member) {
      const path = pathNamed(value, text, subject.name)
      if (path === undefined) return undefined
      const waiting = waitingFor(subject, member, `names a file that is not given: ${shown(value)}`)
      const { created_at, created_date } = subject.record
      const date = created_at ?? created_date
      return subject.ledger.name(path, waiting, typeof date === 'string' ? date : undefined)
        ? undefined
        : `names a file that an earlier record names as well: ${shown(value)}`
    },
  }),
]

const isLabel = (text: string, kind: string) => kind === 'repositories' && text === 'labels[].url'

/** The path of an entry that a member names, if it has the form that its kind has. */
function pathNamed(value: JsonValue, text: string, kind: string): string | undefined {
  if (typeof value !== 'string' || !value.startsWith(ROOT)) return undefined
  const path = value.slice(ROOT.length)
  const leadsAway =
    path.includes('\0') || path.split(/[/\\]/).some((part) => /^\.{0,2}$/.test(part))
  return !leadsAway && requirementOf(kind).files?.[text]?.test(path) ? path : undefined
}

/** What is to be said of a member if nothing comes that puts it right. */
const waitingFor = (subject: Subject, member: string, message: string): Waiting => ({
  place: { ...subject.place, member },
  message: describeBreach(subject, { member, message }),
})
