import type { Database } from '../../database/database.ts'
import { HAS_OTHER_LOGIN } from '../../database/schema/facts/people.ts'

/** Tables of the index. Ids are its own; `row` is the rowid of a record in the database of its repository. */

/**
 * The version and options that the index is made for. With another version or other options it is deleted and made
 * again.
 */
export const INDEX_VERSION = 9
/** "marI" in ASCII. */
export const INDEX_APPLICATION_ID = 0x6d617249

/** The person without a record that stands for deleted accounts. */
export const GHOST = { id: 0, login: 'ghost', number: 10137 } as const

/** How a person is involved in a thread. */
export const ROLES = { author: 0, assignee: 1, mentioned: 2, subscribed: 3 } as const

/** The permissions of the owner of a repository, and the lesser ones. */
export const LEVELS = { pull: 1, push: 2, admin: 3 } as const

/** The records that make activity events. The number of an event begins with the code. */
export const ACTIVITY_CODES = {
  repository: 0,
  issue: 1,
  pullRequest: 2,
  event: 3,
  comment: 4,
  review: 5,
  reviewComment: 6,
  commitComment: 7,
  release: 8,
} as const

/** The factor of the code of a record. Numbers of records are smaller. */
export const CODE_UNIT = 1e15

/** Ids of activity are so far apart, that a database which is added later has room for its own between them. */
export const ACTIVITY_GAP = 4096

/** The time of texts whose records tell none. It is before all others: texts are listed, and in no feed. */
export const NO_TIME = -Number.MAX_SAFE_INTEGER

/** SQL that selects what people wrote about threads and commits from the activity, as indexes know it. */
export const IS_PART = `number BETWEEN ${ACTIVITY_CODES.comment * CODE_UNIT} AND ${
  (ACTIVITY_CODES.commitComment + 1) * CODE_UNIT - 1
}`

export const INDEX_TABLES = `
CREATE TABLE contents (
  key TEXT NOT NULL, -- what it was made of
  shadowed INTEGER NOT NULL, -- people and repositories whose name another one has
  unserved INTEGER NOT NULL -- repositories without a record
);
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  login TEXT NOT NULL,
  kind TEXT NOT NULL, -- User, Bot or Organization
  number INTEGER NOT NULL,
  database INTEGER, -- NULL without a record
  row INTEGER
);
CREATE TABLE repositories (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE, -- owner/name in lower case
  url TEXT NOT NULL,
  full_name TEXT NOT NULL,
  number INTEGER NOT NULL,
  database INTEGER NOT NULL,
  row INTEGER NOT NULL,
  owner INTEGER NOT NULL, -- a person
  private INTEGER NOT NULL,
  created INTEGER,
  updated INTEGER, -- the newest time of its threads and events
  pushed TEXT,
  size INTEGER NOT NULL DEFAULT 0, -- bytes of its Git data
  first_thread INTEGER NOT NULL DEFAULT 0,
  threads INTEGER NOT NULL DEFAULT 0,
  open_threads INTEGER NOT NULL DEFAULT 0,
  pull_requests INTEGER NOT NULL DEFAULT 0,
  open_pull_requests INTEGER NOT NULL DEFAULT 0,
  first_event INTEGER NOT NULL DEFAULT 0,
  events INTEGER NOT NULL DEFAULT 0
);
-- 1 pull, 2 push, 3 admin; 0 for members of an organization that gives them nothing
CREATE TABLE organizations (id INTEGER PRIMARY KEY, level INTEGER NOT NULL);
CREATE TABLE members (person INTEGER, organization INTEGER, admin INTEGER, PRIMARY KEY (person, organization)) WITHOUT ROWID;
CREATE TABLE collaborators (person INTEGER, repository INTEGER, level INTEGER, PRIMARY KEY (person, repository)) WITHOUT ROWID;
CREATE TABLE team_members (person INTEGER, team TEXT, PRIMARY KEY (person, team)) WITHOUT ROWID;
CREATE TABLE team_repositories (team TEXT, repository INTEGER, level INTEGER, PRIMARY KEY (team, repository)) WITHOUT ROWID;
CREATE TABLE milestones (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  repository INTEGER NOT NULL,
  number INTEGER NOT NULL
);
-- In the order of repository, time and number, so that an id is a position in its repository.
CREATE TABLE threads (
  id INTEGER PRIMARY KEY,
  repository INTEGER NOT NULL,
  is_pull INTEGER NOT NULL,
  row INTEGER NOT NULL,
  number INTEGER NOT NULL,
  issue_number INTEGER NOT NULL,
  pull_number INTEGER, -- NULL for an issue
  author INTEGER NOT NULL,
  created INTEGER,
  updated INTEGER,
  closed INTEGER NOT NULL,
  milestone INTEGER,
  comments INTEGER NOT NULL DEFAULT 0,
  first_event INTEGER NOT NULL DEFAULT 0,
  events INTEGER NOT NULL DEFAULT 0
);
-- The orders of lists, each from a multiple of ORDER_UNIT, so that an id is a position in one of them.
CREATE TABLE thread_orders (id INTEGER PRIMARY KEY, thread INTEGER NOT NULL);
CREATE TABLE label_names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE thread_labels (label INTEGER, thread INTEGER, PRIMARY KEY (label, thread)) WITHOUT ROWID;
CREATE TABLE involved (person INTEGER, role INTEGER, thread INTEGER, PRIMARY KEY (person, role, thread)) WITHOUT ROWID;
-- In the order of repository, time and number, so that an id is a position in its repository.
CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  repository INTEGER NOT NULL,
  thread INTEGER NOT NULL,
  row INTEGER NOT NULL,
  kind INTEGER, -- its place in ISSUE_EVENT_KINDS; NULL for others
  actor INTEGER NOT NULL,
  time INTEGER,
  number INTEGER NOT NULL
);
-- In the order of thread, time and number, so that an id is a position in its thread.
CREATE TABLE thread_events (id INTEGER PRIMARY KEY, event INTEGER NOT NULL);
-- In the order of time and number, so that ids are in the order of feeds. There are gaps between them.
CREATE TABLE activity (
  id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL, -- code × 10¹⁵ + the number of the record
  time INTEGER NOT NULL, -- NO_TIME for what somebody wrote at no known time
  public INTEGER NOT NULL,
  repository INTEGER NOT NULL,
  actor INTEGER NOT NULL,
  thread INTEGER,
  row INTEGER NOT NULL
);
-- Numbers that are made of the urls of records without a row here, which must differ.
CREATE TABLE made (
  type TEXT, url TEXT, number INTEGER NOT NULL, UNIQUE (type, url)
);
-- Numbers that are not what the rules give, because another record has that one.
CREATE TABLE numbers (type TEXT, url TEXT, number INTEGER NOT NULL, PRIMARY KEY (type, url)) WITHOUT ROWID;
`

/** The largest ids that an index has before a database is added: those of its rows are larger. */
export type Known = Readonly<Record<(typeof GROWING)[number], number>>

const GROWING = ['repositories', 'threads', 'events'] as const

export const selectKnown = (index: Database): Known =>
  index
    .prepare<[], Known>(
      `SELECT ${GROWING.map((table) => `(SELECT coalesce(max(id), 0) FROM ${table}) AS ${table}`)}`,
    )
    .get() as Known

/** Made when the rows are there, which is faster. */
export const INDEX_INDEXES = `
CREATE INDEX people_by_login ON people (lower(login), url);
CREATE INDEX people_by_number ON people (number);
CREATE INDEX people_of_other_login ON people (url) WHERE ${HAS_OTHER_LOGIN};
CREATE INDEX repositories_by_owner ON repositories (owner);
CREATE INDEX members_by_organization ON members (organization, person);
CREATE INDEX collaborators_by_repository ON collaborators (repository, person);
CREATE INDEX team_repositories_by_repository ON team_repositories (repository, team);
CREATE INDEX milestones_by_number ON milestones (repository, number);
CREATE INDEX threads_by_number ON threads (repository, number);
CREATE INDEX threads_by_milestone ON threads (milestone) WHERE milestone IS NOT NULL;
CREATE INDEX activity_by_visibility ON activity (public);
CREATE INDEX activity_by_repository ON activity (repository);
CREATE INDEX parts_by_thread ON activity (thread) WHERE ${IS_PART};
CREATE INDEX parts_by_number ON activity (number) WHERE ${IS_PART};
CREATE INDEX activity_by_actor ON activity (actor, repository);
`

/** Tables that are needed while the index is made. */
export const WORK_TABLES = `
CREATE TEMP TABLE found (name TEXT, row INTEGER);
CREATE TEMP TABLE kinds (name TEXT PRIMARY KEY, code INTEGER) WITHOUT ROWID;
-- Issues and pull requests without their texts. changed and ended are times that they may have been updated at.
CREATE TEMP TABLE drafts (
  thread INTEGER PRIMARY KEY, repository INTEGER, is_pull INTEGER, row INTEGER, number INTEGER,
  url TEXT, user TEXT, milestone TEXT, labels TEXT, assignees TEXT,
  created INTEGER, changed INTEGER, ended INTEGER, closed INTEGER, comments INTEGER
);
CREATE TEMP TABLE thread_urls (
  url TEXT, database INTEGER, thread INTEGER, repository INTEGER, PRIMARY KEY (url, database)
) WITHOUT ROWID;
CREATE TEMP TABLE labelled (thread INTEGER, url TEXT);
CREATE TEMP TABLE labels (url TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
CREATE TEMP TABLE closings (thread INTEGER, time INTEGER, PRIMARY KEY (thread, time)) WITHOUT ROWID;
CREATE TEMP TABLE happened (
  number INTEGER, time INTEGER, repository INTEGER, actor INTEGER, thread INTEGER, row INTEGER
);
`
