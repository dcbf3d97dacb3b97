/** What the Markdown of a thread says. */

export interface MarkdownThread {
  readonly title: string
  readonly state: string
  readonly isDraft: boolean
  readonly author: string | null
  readonly openedOn: string | null
  /** The facts below the title, by name. */
  readonly facts: ReadonlyMap<string, string>
  /** Who did something, and on which day, in order. */
  readonly happened: readonly { who: string | null; day: string | null }[]
  readonly comments: number
}

const OPENED = /^(.*?) ?(draft )?(?:issue|pull request), opened by \*\*(.*)\*\*, (.*): <.*>$/
const DID = /^(?:- )?\*\*(.*?)\*\* (.*?),? ([^,:]+|\d{4}-.*?):?$/

export function parseMarkdown(text: string): MarkdownThread {
  // Texts of people are quoted; what is below them is in lists without a bold name.
  const lines = text.split('\n').filter((line) => !line.startsWith('>'))
  const [, title = ''] = /^# (.*) \(.*\)$/.exec(lines[0] ?? '') ?? []
  const [, state = '', draft, author = '', opened = ''] = OPENED.exec(lines[2] ?? '') ?? []
  const end = lines.indexOf('', 4)
  const listed = lines.slice(4, end < 0 ? undefined : end)
  const facts = listed.flatMap((line) => /^- ([a-z]+): (.*)$/.exec(line)?.slice(1, 3) ?? [])
  const happened = lines.slice(3).flatMap((line) => {
    const [, who, did, day] = DID.exec(line) ?? []
    return who === undefined || did === undefined ? [] : [{ who: nameOf(who), did, day: day ?? '' }]
  })
  return {
    title: plain(title),
    state,
    isDraft: draft !== undefined,
    author: nameOf(author),
    openedOn: dayOf(opened),
    facts: new Map(
      facts.flatMap((name, i) => (i % 2 ? [] : [[name, plain(facts[i + 1] ?? '')] as const])),
    ),
    happened: happened.map(({ who, day }) => ({ who, day: dayOf(day) })),
    comments: happened.filter(({ did }) => did === 'commented').length,
  }
}

const plain = (text: string): string => text.replace(/\\([\\`*_[\]<>|#~])/g, '$1')

const nameOf = (text: string): string | null => {
  const name = plain(text)
  return name === 'a deleted account' ? null : name
}

/** What is no date is printed as it is. */
const dayOf = (text: string): string | null => (/^\d+ [A-Z][a-z]+ \d+$/.test(text) ? text : null)
