/** "mrst" in ASCII: tells the state of a server from archive databases. */
export const STATE_APPLICATION_ID = 0x6d727374
/** Raised whenever the tables change. */
export const STATE_VERSION = 2

/**
 * The tables of state.db. Times ending in `_at` are milliseconds since 1970 on the server's clock, which can be set;
 * `heartbeat` is on the clock of the machine: when the state last changed, or its worker was last seen.
 */
export const STATE_TABLES = `
  CREATE TABLE migrations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guid TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    organization TEXT,
    state TEXT NOT NULL CHECK (state IN ('pending', 'exporting', 'exported', 'failed')),
    options TEXT NOT NULL,
    repositories TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    exported_at INTEGER,
    archive_size INTEGER,
    archive_sha256 TEXT,
    archive_gone_at INTEGER,
    worker TEXT,
    heartbeat INTEGER NOT NULL,
    failure TEXT
  ) STRICT;
  CREATE INDEX migrations_by_owner ON migrations (owner, id);
  CREATE INDEX migrations_by_organization ON migrations (organization, id) WHERE organization IS NOT NULL;
  CREATE INDEX migrations_by_state ON migrations (state, id);
  CREATE TABLE locks (
    migration INTEGER NOT NULL REFERENCES migrations (id),
    repository TEXT NOT NULL,
    PRIMARY KEY (migration, repository)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE authorizations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner TEXT NOT NULL,
    client_id TEXT,
    note TEXT NOT NULL,
    note_url TEXT,
    fingerprint TEXT,
    scopes TEXT NOT NULL,
    token_sha256 TEXT NOT NULL UNIQUE,
    token_last_eight TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX authorizations_by_note
    ON authorizations (owner, coalesce(client_id, ''), note, coalesce(fingerprint, ''));
  CREATE TABLE grants (
    token_sha256 TEXT NOT NULL,
    organization TEXT NOT NULL,
    PRIMARY KEY (token_sha256, organization)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
`

/** Tables that a state of version 1 has not, for archives that are uploaded and imported. */
export const IMPORT_TABLES = `
  CREATE TABLE uploads (
    guid TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    organization TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    received INTEGER NOT NULL DEFAULT 0,
    parts INTEGER NOT NULL DEFAULT 0,
    complete INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE upload_parts (
    upload TEXT NOT NULL,
    number INTEGER NOT NULL,
    file TEXT NOT NULL UNIQUE,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (upload, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE migration_sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT,
    type TEXT NOT NULL
  ) STRICT;
  CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guid TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    organization TEXT NOT NULL,
    repository TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN
      ('QUEUED', 'PENDING_VALIDATION', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'FAILED_VALIDATION')),
    source INTEGER NOT NULL REFERENCES migration_sources (id),
    options TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    database TEXT,
    warnings INTEGER NOT NULL DEFAULT 0,
    worker TEXT,
    heartbeat INTEGER NOT NULL,
    failure TEXT
  ) STRICT;
  CREATE INDEX imports_by_state ON imports (state, id);
  CREATE INDEX imports_by_repository ON imports (organization, repository COLLATE NOCASE, id);
  CREATE TABLE mannequins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization TEXT NOT NULL,
    login TEXT NOT NULL COLLATE NOCASE,
    claimant TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (organization, login)
  ) STRICT;
  CREATE TABLE claims (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization TEXT NOT NULL,
    login TEXT NOT NULL,
    claimant TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('QUEUED', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    worker TEXT,
    heartbeat INTEGER NOT NULL,
    failure TEXT
  ) STRICT;
`
