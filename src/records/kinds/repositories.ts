import { PEOPLE_TABLES } from '../people-tables.ts'
import { fullNameOf, loginOf, ownId, ownNumber } from './derived.ts'
import {
  defineKind,
  flag,
  integer,
  json,
  listOf,
  listOfObjects,
  optional,
  refersTo,
  text,
  time,
} from './kind.ts'
import { actor, reactions } from './references.ts'
import { actionsSettings, generalSettings, page, securitySettings } from './repository-settings.ts'

const labels = listOfObjects(
  {
    url: text('Identity: https://H/o/r/labels/name, the name percent-encoded.'),
    name: text('Its name, unique in the repository.'),
    color: text('Six hexadecimal digits without #.'),
    description: optional(text('Its purpose; may be null, absent before 2020.')),
    created_at: time('When it was made.'),
  },
  'Labels that its issues, pull requests and discussions may have.',
)

const webhooks = listOfObjects(
  {
    payload_url: text('Where events are sent; may hold a secret.'),
    content_type: text('form or json.'),
    event_types: listOf('event_type', text('Such as push.'), 'Which events are sent.'),
    enable_ssl_verification: flag('Must the receiver have a valid certificate?'),
    active: flag('Is it on?'),
  },
  'Webhooks, without their secrets.',
)

const publicKeys = listOfObjects(
  {
    title: text('Its name.'),
    key: text('The public key as OpenSSH writes it.'),
    read_only: flag('Does it allow to read only?'),
    fingerprint: text('Fingerprint of the key, such as SHA256:….'),
    created_at: time('When it was added.'),
  },
  'Deploy keys, their public halves.',
)

const topics = listOfObjects(
  {
    topic_url: text('Home page of the topic; most often null.'),
    topic_name: text('The topic.'),
    repository: refersTo('repositories', 'The same repository.'),
    creator: actor('Who added it; may lead nowhere.'),
    state: text('created.'),
    created_at: time('When it was added; JSON has the offset of the viewer, views have UTC.'),
    updated_at: time('When it last changed; JSON has the offset of the viewer, views have UTC.'),
  },
  'Topics it is filed under; absent before mid-2022.',
)

export const repositories = defineKind({
  type: 'repository',
  summary:
    'Repositories: labels, collaborators and settings. Their Git data are in refs and files.',
  columns: {
    url: text('Identity: https://H/o/r.'),
    owner: refersTo(PEOPLE_TABLES, 'Whose it is.'),
    name: text('Its name, unique among those of the owner.'),
    description: text('Its description; may be null or empty.'),
    website: text('Its web site; may be null or empty.'),
    private: flag('Is it hidden from the public? True for internal repositories as well.'),
    has_issues: flag('Are issues on?'),
    has_wiki: flag('Is the wiki on? wiki_url tells whether there is one.'),
    has_downloads: flag('Are downloads on? Always true.'),
    is_archived: optional(flag('Is it read-only for good? Absent before the end of 2022.')),
    labels,
    collaborators: listOfObjects(
      { user: actor('Who; may lead nowhere.'), permission: text('read, write or admin.') },
      'People let in one by one, not by team or membership.',
    ),
    created_at: time('When it was made.'),
    git_url: text('Its Git directory, tarball://root/…; set even when the archive has none.'),
    default_branch: text('Name of the main branch; set even while the repository is empty.'),
    webhooks,
    page: optional(page),
    public_keys: publicKeys,
    repository_topics: optional(topics),
    security_and_analysis: optional(securitySettings),
    autolinks: optional(json('Rules that turn text into links; empty in all archives known.')),
    general_settings: optional(generalSettings),
    actions_general_settings: optional(actionsSettings),
    wiki_url: optional(text('Git directory of its wiki, tarball://root/…; absent without one.')),
  },
  derived: {
    full_name: fullNameOf('url'),
    owner_login: loginOf('owner', 'the owner'),
  },
})

export const milestones = defineKind({
  type: 'milestone',
  summary: 'Milestones, for which issues and pull requests are planned.',
  columns: {
    url: text('Identity: https://H/o/r/milestones/N.'),
    repository: refersTo('repositories', 'The repository it belongs to.'),
    user: actor('Who made it.'),
    title: text('The title, unique in the repository.'),
    description: text('Its description; may be null.'),
    state: text('open or closed.'),
    due_on: time('The day it is due; null for none.'),
    created_at: time('When it was made.'),
    updated_at: time('When it last changed.'),
    closed_at: time('When it was closed; null while it is open.'),
  },
  derived: {
    full_name: fullNameOf('repository'),
    number: ownNumber,
    user_login: loginOf('user', 'who made it'),
  },
})

export const commit_comments = defineKind({
  type: 'commit_comment',
  summary: 'Comments on commits, outside of any pull request.',
  columns: {
    url: text('Identity: https://H/o/r/commit/sha#commitcomment-N.'),
    repository: refersTo('repositories', 'The repository of the commit.'),
    user: actor('Who wrote it; null for a deleted account.'),
    body: text('The text, as formatter says.'),
    formatter: text('How body is written: markdown.'),
    path: text('The file it is about; null for the commit as a whole.'),
    position: integer('Line of the diff it is about; null for the commit as a whole.'),
    commit_id: text('The commit, 40 hexadecimal digits.'),
    reactions,
    created_at: time('When it was written.'),
  },
  derived: {
    id: ownId,
    full_name: fullNameOf('repository'),
    user_login: loginOf('user', 'who wrote it'),
  },
})

export const projects = defineKind({
  type: 'project',
  summary: 'Classic project boards of repositories and organizations.',
  columns: {
    url: text('Identity: https://H/o/r/projects/N or https://H/orgs/o/projects/N.'),
    name: optional(text('Its name.')),
    creator: optional(actor('Who made it.')),
    body: optional(text('Its description, in Markdown.')),
    created_at: optional(time('When it was made.')),
    columns: optional(json('Its columns with their cards.')),
  },
  derived: {},
})
