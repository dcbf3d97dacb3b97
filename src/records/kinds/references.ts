import { PEOPLE_TABLES } from '../people-tables.ts'
import { listOf, listOfObjects, refersTo, text, time } from './kind.ts'

/** Tables of actors, which share their URLs. */
export const ACTORS = ['users', 'bots'] as const
/** The tables that may have a record: an account may also have become an organization, because accounts share their URLs. */
export const tablesWith = (refersTo: readonly string[]): readonly string[] =>
  refersTo.includes('users') ? [...new Set([...PEOPLE_TABLES, ...refersTo])] : refersTo

export const actor = (description: string) => refersTo(ACTORS, description)

export const assignees = listOf('assignee', actor('A person assigned.'), 'People assigned.')

export const labels = listOf(
  'label',
  refersTo('labels', 'A label of the repository.'),
  'Labels set, by url.',
)

export const reactions = listOfObjects(
  {
    user: actor('Who reacted; may lead nowhere.'),
    content: text('The reaction: +1, -1, heart, tada, rocket, eyes, smile, thinking_face.'),
    subject_type: text(
      'Type of the record that it is a reaction to, such as Issue or IssueComment.',
    ),
    created_at: time('When; JSON has milliseconds and the offset of the viewer, views have UTC.'),
  },
  'Reactions of people.',
)
