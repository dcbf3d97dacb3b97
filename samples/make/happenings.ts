import { newId } from './content.ts'
import { accountUrl, later, reactionsOf } from './host.ts'
import type { Happening, Thread } from './open-thread.ts'
import { labelOf } from './project.ts'

interface CommentOptions {
  reactions?: { readonly [content: string]: readonly string[] }
  /** The comment came by mail. */
  mail?: boolean
}

export function comment(
  at: string,
  by: string | null,
  body: string,
  { reactions = {}, mail = false }: CommentOptions = {},
): Happening {
  return (thread) => {
    thread.project.content.records.issue_comments.push({
      type: 'issue_comment',
      url: `${thread.record.url}#issuecomment-${newId(thread.project.content, at)}`,
      ...thread.parent,
      user: by && accountUrl(by),
      body,
      formatter: mail ? 'email' : 'markdown',
      reactions: reactionsOf(reactions, 'IssueComment', at),
      created_at: at,
    })
    touch(thread, at)
    // Who is mentioned in a text gets two events, without anybody doing anything.
    for (const [, login = ''] of body.matchAll(/(?<=^|\s)@([a-z]+-[a-z]+)/g)) {
      addEvent(thread, at, login, 'mentioned')
      addEvent(thread, at, login, 'subscribed')
    }
  }
}

export const labeled = (at: string, by: string, ...names: string[]): Happening => {
  return (thread) => {
    for (const name of names) {
      thread.record.labels.push(labelEvent(thread, at, by, 'labeled', name))
    }
  }
}

export const unlabeled = (at: string, by: string, name: string): Happening => {
  return (thread) => {
    const url = labelEvent(thread, at, by, 'unlabeled', name)
    thread.record.labels = thread.record.labels.filter((label) => label !== url)
  }
}

export const assigned = (at: string, by: string, to: string): Happening => {
  return (thread) => {
    addEvent(thread, at, by, 'assigned', { subject: accountUrl(to) })
    thread.record.assignees.push(accountUrl(to))
    thread.record.assignee ??= accountUrl(to)
  }
}

export const milestoned = (at: string, by: string, number: number): Happening => {
  return (thread) => {
    const url = `${thread.project.url}/milestones/${number}`
    const milestone = thread.project.content.records.milestones.find((one) => one.url === url)
    addEvent(thread, at, by, 'milestoned', { milestone_title: milestone?.title ?? null })
    thread.record.milestone = url
  }
}

/** From `before` to the title it was opened with here, which is the last one. */
export const renamed = (at: string, by: string, before: string): Happening => {
  return (thread) =>
    addEvent(thread, at, by, 'renamed', { title_was: before, title_is: thread.record.title })
}

/** Closed by hand, or by a pull request. */
export const closed = (at: string, by: string, pull?: number): Happening => {
  return (thread) => {
    const url = `${thread.project.url}/pull/${pull}`
    addEvent(thread, at, by, 'closed', pull ? { referencing_pull_request: url } : {})
    thread.record.closed_at = at
  }
}

export const reopened = (at: string, by: string): Happening => {
  return (thread) => {
    addEvent(thread, at, by, 'reopened')
    thread.record.closed_at = null
  }
}

/** Merged as `commit`. The host closes the pull request too, and deletes its branch. */
export const merged = (at: string, by: string, commit: string): Happening => {
  return (thread) => {
    const { record, project } = thread
    if (record.type !== 'pull_request') throw new Error(`${record.url} cannot be merged`)
    const commit_id = project.git.oid(commit)
    addEvent(thread, at, by, 'merged', { commit_id })
    addEvent(thread, at, by, 'closed')
    if (record.head?.repo === project.url) addEvent(thread, later(at, 0.1), by, 'head_ref_deleted')
    record.merged_at = at
    record.closed_at = at
    record.merge_commit_sha = commit_id
  }
}

/** Mentioned in the message of a commit. */
export const referenced = (at: string, by: string, commit: string): Happening => {
  return (thread) => {
    const { git, url } = thread.project
    addEvent(thread, at, by, 'referenced', {
      commit_id: git.oid(commit),
      commit_repository: url,
    })
  }
}

export const forcePushed = (
  at: string,
  by: string,
  ref: string,
  before: string,
  after: string,
): Happening => {
  return (thread) => {
    const { git, url } = thread.project
    addEvent(thread, at, by, 'head_ref_force_pushed', {
      ref,
      before_commit_oid: git.oid(before),
      after_commit_oid: git.oid(after),
      commit_repository: url,
    })
  }
}

/** An event without details: `locked`, `pinned`, `subscribed`, `convert_to_draft` and others. */
export const event = (at: string, by: string, name: string): Happening => {
  return (thread) => addEvent(thread, at, by, name)
}

type Details = Partial<Thread['project']['content']['records']['issue_events'][number]>

export function addEvent(
  thread: Thread,
  at: string,
  by: string,
  name: string,
  details: Details = {},
): void {
  thread.project.content.records.issue_events.push({
    type: 'issue_event',
    url: `${thread.record.url}#event-${newId(thread.project.content, at)}`,
    ...thread.parent,
    actor: accountUrl(by),
    event: name,
    ...details,
    created_at: at,
  })
  touch(thread, at)
}

function labelEvent(thread: Thread, at: string, by: string, name: string, label: string): string {
  const { url, color } = labelOf(thread.project, label)
  addEvent(thread, at, by, name, {
    label: url,
    label_name: label,
    label_color: color,
    label_text_color: color && color < '88' ? 'ffffff' : '000000',
  })
  return `${url}`
}

/** Pull requests have no date of their last change. */
function touch({ record }: Thread, at: string): void {
  if (record.type === 'issue' && at > `${record.updated_at}`) record.updated_at = at
}
