import { type JsonObject, textOrEmpty } from '../../records/json/json.ts'
import type { Members } from '../members.ts'
import type { Upload } from '../upload.ts'
import type { Change } from './changes.ts'
import { type AboutIssue, addEvents, changesOf, inOrder, type Placed } from './history.ts'
import { isClosed, LABEL_FIELDS } from './labels.ts'
import { isNumber, type Lists, type OwnedList } from './lists.ts'
import { withMentions } from './people.ts'
import { asMarkdown } from './texts.ts'
import type { Tracker } from './tracker.ts'
import { addUpload, attachedTo, findFiles } from './uploads.ts'

/** Where the lists come from. */
interface Origin {
  entry: string
  /** The folder around everything. */
  top: string
  /** The first bytes of the other files. */
  files: ReadonlyMap<string, Buffer>
}

/**
 * Adds the records of all issues, by number. Yields after each issue, with the place of its attachments in the source and in the
 * archive.
 */
export function* addIssues(
  tracker: Tracker,
  lists: Lists,
  origin: Origin,
): Generator<[source: string | undefined, path: string]> {
  const placed = (list: OwnedList | 'issues', index: number): Placed => ({
    object: lists.element(list, index),
    index,
    at: `${list}[${index}]`,
  })
  const sources = findFiles(lists.attachments, origin.files, origin.top)
  for (const [number, index] of [...lists.issues].sort(([a], [b]) => a - b)) {
    const of = (list: OwnedList) => lists.of(list, number).map((place) => placed(list, place))
    const issue = new Issue(tracker, number, placed('issues', index), origin)
    tracker.startIssue()
    yield* issue.add({
      comments: of('comments'),
      logs: of('logs'),
      attachments: of('attachments'),
      sources,
    })
    yield [undefined, '']
  }
}

class Issue {
  readonly #tracker: Tracker
  readonly #members: Members
  readonly #origin: Origin
  readonly #number: number
  readonly #url: string
  readonly #object: JsonObject
  readonly #created: string
  readonly #updated: string | null
  /** The members of comments without a text, by their ids. Such a comment was saved with a change. */
  readonly #carried = new Map<number, JsonObject>()

  readonly #about: AboutIssue

  constructor(tracker: Tracker, number: number, { object, at }: Placed, origin: Origin) {
    this.#tracker = tracker
    this.#number = number
    this.#origin = origin
    this.#object = object
    this.#url = `${tracker.url}/issues/${number}`
    this.#members = tracker.members(object, origin.entry, at)
    this.#members.take('id')
    this.#updated = this.#members.time('updated_on')
    this.#created = tracker.date(this.#members, 'created_on', origin.entry, this.#updated)
    const { entry } = origin
    this.#about = { tracker, number, url: this.#url, created_at: this.#created, entry }
  }

  *add(own: {
    comments: readonly Placed[]
    logs: readonly Placed[]
    attachments: readonly Placed[]
    /** Where the file of each attachment is, by its index. */
    sources: readonly (string | undefined)[]
  }): Generator<[string | undefined, string]> {
    const changes = changesOf(this.#about, own.logs)
    const uploads: Upload[] = []
    const attached = own.attachments.map(({ object }) => object)
    // Without a link to it, a file is not that of an issue.
    const isLinked = this.#tracker.rewritesTexts
    if (!isLinked && attached.length > 0) this.#members.keep('attachments', attached)
    for (const each of isLinked ? own.attachments : []) {
      const source = own.sources[each.index]
      const upload = this.#upload(each, source, changes)
      if (!upload) continue
      uploads.push(upload)
      yield [source, upload.path]
    }
    this.#addRecord(uploads, changes)
    const carriers = new Set(changes.map(({ comment }) => comment))
    for (const each of inOrder(own.comments)) this.#addComment(each, carriers)
    const names = new Set(attached.map(({ filename }) => textOrEmpty(filename)))
    addEvents(this.#about, changes, { carried: this.#carried, attached: names })
  }

  #addRecord(uploads: readonly Upload[], changes: readonly Change[]): void {
    const tracker = this.#tracker
    const members = this.#members
    const { entry } = this.#origin
    const created_at = this.#created
    const user = tracker.person(members, 'reporter', created_at)
    const assignee = tracker.person(members, 'assignee', created_at)
    const labels = new Set<string>()
    for (const field of LABEL_FIELDS) {
      const word = members.see(field)
      const label = typeof word === 'string' ? tracker.label(field, word, created_at) : undefined
      if (label) labels.add(label.url)
      // The words of these are in the log as well; the label says what the others are.
      if (typeof word === 'string' && (field === 'component' || field === 'version')) {
        members.take(field)
      }
    }
    const planned = members.text('milestone')
    const milestone = planned === null ? null : tracker.milestone(planned, created_at)
    const title = members.text('title') ?? ''
    const content = members.text('content')
    const body = this.#text(content, uploads)
    if (body !== content) members.keep('content', content)
    tracker.add(
      'issues',
      {
        type: 'issue',
        url: this.#url,
        repository: tracker.url,
        user,
        title,
        body,
        assignee,
        assignees: assignee === null ? [] : [assignee],
        milestone,
        labels: [...labels],
        reactions: [],
        closed_at: this.#closedAt(changes, entry),
        created_at,
        updated_at: this.#updated ?? created_at,
      },
      members.unused(() => false),
    )
  }

  #closedAt(changes: readonly Change[], entry: string): string | null {
    if (!isClosed(textOrEmpty(this.#object.status))) return null
    const closing = changes.findLast(({ field, to }) => field === 'status' && isClosed(to))
    const known = closing?.members.see('created_on')
    const at = typeof known === 'string' && this.#tracker.members({ known }, entry).time('known')
    if (at) return at
    const reason = 'closed_at is missing; the time of the last change was used'
    this.#tracker.problem('date-estimated', reason, entry, `issue ${this.#number}`)
    return this.#updated ?? this.#created
  }

  /** A text as Markdown with references that pages find, and links to what was attached. */
  #text(content: string | null, uploads: readonly Upload[] = []): string | null {
    const tracker = this.#tracker
    const { entry } = this.#origin
    let text = content
    if (text !== null && tracker.rewritesTexts) {
      const told = (reason: string, changed: string) => {
        if (changed !== text) {
          tracker.problem('text-rewritten', reason, entry, `issue ${this.#number}`)
        }
        text = changed
      }
      told('code is marked as in Markdown', asMarkdown(text))
      told('people are mentioned by login', withMentions(text, tracker.names))
    }
    if (uploads.length === 0) return text
    const reason = 'links to attachments were added to descriptions'
    tracker.problem('text-rewritten', reason, entry, `issue ${this.#number}`)
    return [...(text ? [text] : []), attachedTo(uploads)].join('\n\n')
  }

  #addComment({ object, at }: Placed, carriers: ReadonlySet<number | null>): void {
    const tracker = this.#tracker
    const { entry } = this.#origin
    const { id } = object
    const isEmpty = object.content === null || object.content === '' || object.content === undefined
    // It was saved with a change and says nothing itself.
    const isCarrier = isEmpty && isNumber(id) && carriers.has(id)
    const members = tracker.members(object, entry, at)
    members.take('issue')
    members.take('id')
    if (isCarrier) {
      // The user and the date are those of the change.
      const kept = members.unused((name) => ['content', 'created_on', 'user'].includes(name))
      if (kept) this.#carried.set(id, kept)
      return
    }
    const updated_at = members.time('updated_on')
    const created_at = tracker.date(members, 'created_on', entry, updated_at ?? this.#created)
    const number = isNumber(id)
      ? id
      : tracker.idOf('issue_comments', `${this.#number} ${created_at}`)
    const content = members.text('content')
    const body = this.#text(content)
    if (body !== content) members.keep('content', content)
    tracker.add(
      'issue_comments',
      {
        type: 'issue_comment',
        url: `${this.#url}#issuecomment-${number}`,
        issue: this.#url,
        user: tracker.person(members, 'user', created_at),
        body: body ?? '',
        formatter: 'markdown',
        reactions: [],
        created_at,
        ...(updated_at !== null && { updated_at }),
      },
      members.unused(() => false),
    )
  }

  #upload(
    { object, at }: Placed,
    source: string | undefined,
    changes: readonly Change[],
  ): Upload | undefined {
    const tracker = this.#tracker
    const { entry, files } = this.#origin
    const members = tracker.members(object, entry, at)
    const path = members.text('path') ?? ''
    const name = members.text('filename') || path.replace(/^.*\//s, '')
    if (name === '') {
      tracker.problem('source-left-out', 'attachments without a name', entry, at)
      return undefined
    }
    const log = changes.find(({ field, to }) => field === 'attachment' && to === name)
    const added = log && tracker.members({ at: log.members.see('created_on') }, entry).time('at')
    const created_at = added ?? this.#created
    const user =
      tracker.person(members, 'user', created_at) ??
      (log
        ? tracker.account(tracker.names.loginOf(log.members.see('user')) ?? null, created_at)
        : null)
    return addUpload(tracker, this.#url, {
      issue: this.#number,
      name,
      user,
      at: created_at,
      head: source === undefined ? undefined : files.get(source),
      path,
      kept: members.unused((name) => name === 'issue'),
    })
  }
}
