import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLAIN_NOTE } from '../../../samples/make/gitlab-project.ts'
import { body, sentence } from '../prose.ts'
import { Random } from '../random.ts'

/** The forms that are measured. */
export const FORMS = ['python-github-backup', 'Bitbucket', 'GitLab'] as const
export type Form = (typeof FORMS)[number]

/** What is said in a thread. */
interface Said {
  id: number
  author: number
  text: string
  at: Date
}

interface Thread {
  number: number
  title: string
  first: Said
  comments: Said[]
  events: Said[]
  isClosed: boolean
}

const PEOPLE = 300
const LABELS = 40
const START = Date.UTC(2020, 0, 1)
const HOUR = 3_600_000

/** The same threads in every form, each with five comments and five events on average. */
function threadAt(number: number): Thread {
  const random = new Random(7, 1, number)
  let minutes = number * 60
  const said = (id: number, sentences: number): Said => {
    minutes += random.below(600)
    return {
      id,
      author: random.below(PEOPLE),
      text: body(random, sentences),
      at: new Date(START + (minutes * HOUR) / 60),
    }
  }
  const first = said(number, 8)
  const count = random.skewed(16)
  return {
    number,
    title: sentence(random),
    first,
    comments: Array.from({ length: count }, (_, i) => said(number * 100 + i, 4)),
    events: Array.from({ length: count }, (_, i) => said(number * 100 + i, 1)),
    isClosed: random.chance(0.6),
  }
}

/** Writes a source with so many threads to a folder. */
export function writeForeign(form: Form, folder: string, threads: number): void {
  const all = function* () {
    for (let number = 1; number <= threads; number++) yield threadAt(number)
  }
  mkdirSync(folder, { recursive: true })
  if (form === 'python-github-backup') writeBackup(folder, all())
  else if (form === 'Bitbucket') writeBitbucket(folder, all())
  else writeGitlab(folder, all())
}

const SITE = 'https://github.com'
const HOME = `${SITE}/lanterns/telemetry`
const API = 'https://api.github.com/repos/lanterns/telemetry'
const seconds = (date: Date) => date.toISOString().replace(/\.\d+/, '')

/** An account as the host repeats it wherever somebody is named. */
function account(n: number) {
  const login = `person${n}`
  const url = `https://api.github.com/users/${login}`
  const lists = ['followers', 'gists', 'subscriptions', 'organizations', 'repos', 'received_events']
  return {
    login,
    id: 1000 + n,
    node_id: `U_${n}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${1000 + n}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${SITE}/${login}`,
    ...Object.fromEntries(lists.map((list) => [`${list}_url`, `${url}/${list}`])),
    type: 'User',
    user_view_type: 'public',
    site_admin: false,
  }
}

const counts = { total_count: 0, '+1': 0, '-1': 0, laugh: 0, hooray: 0, heart: 0, rocket: 0 }

function writeBackup(folder: string, threads: Iterable<Thread>): void {
  const top = join(folder, 'repositories/telemetry')
  mkdirSync(join(top, 'issues'), { recursive: true })
  const label = (n: number) => ({
    id: n,
    node_id: `L_${n}`,
    url: `${API}/labels/label${n}`,
    name: `label${n}`,
    color: 'd93f0b',
    default: false,
    description: 'A label',
  })
  for (const { number, title, first, comments, events, isClosed } of threads) {
    const at = seconds(first.at)
    const issue = {
      assignee: null,
      assignees: [],
      author_association: 'NONE',
      body: first.text,
      closed_at: isClosed ? at : null,
      comment_data: comments.map(({ id, author, text, at }) => ({
        author_association: 'NONE',
        body: text,
        created_at: seconds(at),
        html_url: `${HOME}/issues/${number}#issuecomment-${id}`,
        id,
        issue_url: `${API}/issues/${number}`,
        node_id: `C_${id}`,
        reactions: counts,
        updated_at: seconds(at),
        url: `${API}/issues/comments/${id}`,
        user: account(author),
      })),
      comments: comments.length,
      created_at: at,
      event_data: events.map(({ id, author, at }) => ({
        actor: account(author),
        commit_id: null,
        commit_url: null,
        created_at: seconds(at),
        event: 'labeled',
        id,
        label: { color: 'd93f0b', name: `label${id % LABELS}` },
        node_id: `E_${id}`,
        url: `${API}/issues/events/${id}`,
      })),
      html_url: `${HOME}/issues/${number}`,
      id: number,
      labels: [label(number % LABELS), label((number + 1) % LABELS)],
      locked: false,
      milestone: null,
      node_id: `I_${number}`,
      number,
      reactions: counts,
      repository_url: API,
      state: isClosed ? 'closed' : 'open',
      title,
      updated_at: seconds(comments.at(-1)?.at ?? first.at),
      url: `${API}/issues/${number}`,
      user: account(first.author),
    }
    writeFileSync(join(top, `issues/${number}.json`), JSON.stringify(issue, null, 4))
  }
}

const micro = (date: Date) => date.toISOString().replace('Z', '000+00:00')

function writeBitbucket(folder: string, threads: Iterable<Thread>): void {
  const lists: { [list: string]: object[] } = { issues: [], comments: [], logs: [] }
  for (const { number, title, first, comments, events, isClosed } of threads) {
    lists.issues?.push({
      id: number,
      title,
      content: first.text,
      status: isClosed ? 'resolved' : 'new',
      priority: 'major',
      kind: 'bug',
      reporter: `person${first.author}`,
      assignee: null,
      component: null,
      milestone: null,
      version: null,
      created_on: micro(first.at),
      updated_on: micro(comments.at(-1)?.at ?? first.at),
      edited_on: null,
      content_updated_on: null,
      watchers: [],
      voters: [],
    })
    for (const { id, author, text, at } of comments) {
      const user = `person${author}`
      lists.comments?.push({
        id,
        issue: number,
        user,
        content: text,
        created_on: micro(at),
        updated_on: null,
      })
    }
    for (const { id, author, at } of events) {
      const [changed_from, changed_to] = ['minor', 'major']
      const user = `person${author}`
      const field = 'priority'
      lists.logs?.push({
        comment: id,
        issue: number,
        user,
        field,
        changed_from,
        changed_to,
        created_on: micro(at),
      })
    }
  }
  const others = { meta: {}, milestones: [], versions: [], components: [], attachments: [] }
  writeFileSync(join(folder, 'db-1.0.json'), JSON.stringify({ ...lists, ...others }))
}

function writeGitlab(folder: string, threads: Iterable<Thread>): void {
  const tree = join(folder, 'tree/project')
  mkdirSync(tree, { recursive: true })
  const text = (date: Date) => date.toISOString().replace('Z', '+00:00')
  const note = (author: number, text_: string, at: Date, more: object) => ({
    note: text_,
    noteable_type: 'Issue',
    author_id: author + 1,
    created_at: text(at),
    updated_at: text(at),
    project_id: 5,
    ...PLAIN_NOTE,
    confidential: null,
    author: { name: `Person ${author}` },
    award_emoji: [],
    events: [],
    ...more,
  })
  const lines: string[] = []
  for (const { number, title, first, comments, events, isClosed } of threads) {
    const issue = {
      iid: number,
      title,
      author_id: first.author + 1,
      project_id: 5,
      description: first.text,
      state: isClosed ? 'closed' : 'opened',
      closed_at: isClosed ? text(first.at) : null,
      created_at: text(first.at),
      updated_at: text(comments.at(-1)?.at ?? first.at),
      confidential: false,
      discussion_locked: null,
      issue_assignees: [],
      label_links: [],
      award_emoji: [],
      resource_label_events: [],
      resource_state_events: [],
      notes: [
        ...comments.map(({ id, author, text, at }) =>
          note(author, text, at, { discussion_id: id.toString(16).padStart(40, '0') }),
        ),
        ...events.map(({ id, author, at }) =>
          note(author, 'changed the description', at, {
            discussion_id: id.toString(16).padStart(40, 'f'),
            system: true,
            system_note_metadata: { action: 'description', commit_count: null },
          }),
        ),
      ],
      events: [],
      timelogs: [],
    }
    lines.push(`${JSON.stringify(issue)}\n`)
  }
  writeFileSync(join(tree, 'issues.ndjson'), lines.join(''))
  const members = Array.from({ length: PEOPLE }, (_, i) => ({
    user_id: i + 1,
    access_level: 30,
    created_at: text(new Date(START)),
    user: { id: i + 1, username: `person${i}` },
  }))
  writeFileSync(
    join(tree, 'project_members.ndjson'),
    members.map((each) => `${JSON.stringify(each)}\n`).join(''),
  )
  writeFileSync(join(folder, 'tree/project.json'), '{"visibility_level":20}')
  writeFileSync(join(folder, 'VERSION'), '0.2.4')
}
