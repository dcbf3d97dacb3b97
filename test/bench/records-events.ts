import { someLabel } from './labels.ts'
import { sentence, word } from './prose.ts'
import type { Random } from './random.ts'
import { later, type Subject, someSubject } from './subjects.ts'
import {
  date,
  host,
  owner,
  randomOf,
  repositoryUrl,
  someAuthor,
  someUser,
  type World,
} from './world.ts'

// How often each event was seen in real exports, on issues and on pull requests.
const seen: readonly (readonly [event: string, issues: number, pulls: number])[] = [
  ['labeled', 81, 642],
  ['unlabeled', 33, 3],
  ['mentioned', 286, 34],
  ['subscribed', 241, 17],
  ['unsubscribed', 6, 0],
  ['closed', 29, 211],
  ['reopened', 10, 9],
  ['renamed', 89, 58],
  ['assigned', 10, 82],
  ['unassigned', 4, 0],
  ['locked', 34, 3],
  ['unlocked', 14, 1],
  ['merged', 0, 94],
  ['referenced', 0, 66],
  ['head_ref_deleted', 0, 141],
  ['head_ref_restored', 0, 2],
  ['head_ref_force_pushed', 0, 18],
  ['base_ref_force_pushed', 0, 5],
  ['base_ref_changed', 0, 4],
  ['review_requested', 0, 87],
  ['ready_for_review', 0, 27],
  ['convert_to_draft', 0, 2],
  ['comment_deleted', 6, 0],
  ['transferred', 2, 0],
  ['pinned', 1, 0],
  ['milestoned', 2, 2],
  ['copilot_work_started', 0, 86],
  ['copilot_work_finished', 0, 61],
  ['copilot_work_finished_failure', 0, 1],
]

// One element for every time an event was seen, so that picking one keeps the proportions.
const events = seen.flatMap(([event, issues, pulls]) => [
  ...Array<[string, Subject['key']]>(issues).fill([event, 'issue']),
  ...Array<[string, Subject['key']]>(pulls).fill([event, 'pull_request']),
])

export function issueEvent(world: World, index: number): object {
  const random = randomOf(world, 'issue_events', index)
  const [event, key] = random.pick(events)
  let subject = someSubject(world, random)
  while (subject.key !== key) subject = someSubject(world, random)
  const id = 2_785_000_000 + index * 13 + random.below(13)
  return {
    type: 'issue_event',
    url: `${subject.url}#event-${id}`,
    [key]: subject.url,
    actor: someAuthor(world, random),
    event,
    ...details(world, event, subject, random),
    created_at: date(later(subject, random)),
  }
}

function details(world: World, event: string, subject: Subject, random: Random): object {
  const repository = repositoryUrl(subject.repository)
  switch (event) {
    case 'labeled':
    case 'unlabeled': {
      const label = someLabel(subject.repository, random)
      const names = { label: label.url, label_name: label.name, label_color: label.color }
      return { ...names, label_text_color: 'ffffff' }
    }
    case 'renamed':
      return { title_was: sentence(random), title_is: sentence(random) }
    case 'base_ref_changed':
      return { title_was: word(random), title_is: 'main' }
    case 'assigned':
    case 'unassigned':
    case 'review_requested':
    case 'comment_deleted':
      return { subject: someUser(world, random) }
    case 'transferred':
      return { subject: `${host}/${owner}/not-exported-1` }
    case 'merged':
      return { commit_id: random.hex(40) }
    case 'referenced':
      return { commit_id: random.hex(40), commit_repository: repository }
    case 'head_ref_force_pushed':
    case 'base_ref_force_pushed':
      return {
        ref: word(random),
        before_commit_oid: random.hex(40),
        after_commit_oid: random.hex(40),
        commit_repository: repository,
      }
    case 'milestoned':
      return { milestone_title: `${random.below(9)}.0.0` }
    default:
      return {}
  }
}
