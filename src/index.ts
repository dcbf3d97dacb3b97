// The declarations refer to the types of Node.js.
/// <reference types="node" preserve="true" />

// Load, read and inspect archives

export type { ArchiveEntry, ArchiveForm, ArchiveSource, ReadOptions } from './archive/entry.ts'
export { type EntryRole, pathOf, roleOf } from './archive/entry-role.ts'
export { type OpenedArchive, type OpenOptions, openArchive } from './archive/open-archive.ts'
export { readArchive } from './archive/read-archive.ts'
export { readFolder } from './archive/read-folder.ts'
export { type WriteOptions, writeArchive } from './archive/write-archive.ts'
export { DEFAULT_LIMITS, type Limits } from './base/limits.ts'
export {
  type FileCount,
  type Inspection,
  type InspectOptions,
  inspectArchive,
} from './inspect/inspect-archive.ts'
export {
  type FailedArchive,
  type LoadedArchive,
  type LoadOptions,
  type LoadSummary,
  loadArchive,
} from './load/load-archive.ts'
export {
  type KnownRecord,
  type ReadArchiveRecordsOptions,
  readArchiveRecords,
  type UnknownRecord,
} from './load/read-archive-records.ts'

// Records

export type { JsonObject, JsonValue, RawNumber } from './records/json/json.ts'
export { type ArchiveRecord, KINDS, type KindName } from './records/kinds/kinds.ts'
export { type PlacedRecord, type ReadRecordsOptions, readRecords } from './records/read-records.ts'
export type { SchemaFacts } from './records/read-schema.ts'
export type {
  KindStatistics,
  RepositoryStatistics,
  Writer,
} from './records/statistics/collect-statistics.ts'
export { type JsonForm, writeRecords } from './records/write-records.ts'

// Databases

export {
  DATABASE_FAULTS,
  type DatabaseFault,
  type DatabaseFaultCode,
  type Edit,
} from './conformance/doctor/database-fault.ts'
export {
  type ExamineOptions,
  examineDatabase,
  type IntegrityReport,
} from './conformance/doctor/examine-database.ts'
export type { Overlap } from './database/archive-ages.ts'
export type { FileRole } from './database/contents/list-files.ts'
export { readFile } from './database/contents/read-file.ts'
export type { Database, Statement, Transaction } from './database/database.ts'
export { type OpenDatabaseOptions, openDatabase } from './database/open-database.ts'
export { findRecord } from './database/rows/read-record.ts'
export type { KindCondition, Selection, ThreadState } from './database/rows/selection.ts'

// Ask databases for rows, texts, threads and attachments

export {
  type ExtractedFile,
  type ExtractOptions,
  type ExtractOutcome,
  type ExtractSummary,
  extractAttachments,
} from './attachments/extract-attachments.ts'
export { type Attachment, listAttachments } from './attachments/list-attachments.ts'
export type { Layout } from './attachments/place-attachment.ts'
export { readAttachment } from './attachments/read-attachment.ts'
export {
  type Parameters,
  type QueryOptions,
  type QueryResult,
  runQuery,
  type SqlValue,
} from './query/run-query.ts'
export { resolveTarget, type Target } from './reading/resolve-target.ts'
export { eventSentence } from './reading/threads/event-sentences.ts'
export { readThread } from './reading/threads/read-thread.ts'
export type {
  PullRequest,
  Reactions,
  ReviewThread,
  Text,
  Thread,
  TimelineItem,
  Upload,
} from './reading/threads/thread.ts'
export { readTimeline } from './reading/threads/timeline.ts'
export type { SearchFilter } from './search/filter-sources.ts'
export { SEARCH_KINDS } from './search/grammar/parse-filters.ts'
export { type SearchOptions, searchDatabase } from './search/search-database.ts'
export type { FoundText, Snippet } from './search/snippets.ts'
export { type UpdateOptions, updateSearchIndex } from './search/update-search-index.ts'

// Git

export {
  type CloneOptions,
  type CloneResult,
  cloneRepository,
} from './git/clone/clone-repository.ts'
export type { LogOptions } from './git/history/walk-commits.ts'
export { findRepository, type GitRepository, listRepositories } from './git/list-repositories.ts'
export type { ObjectLimits } from './git/objects/object-store.ts'
export { type GitFs, openGitFs } from './git/open-git-fs.ts'
export { openRepository, type Repository, type WalkedEntry } from './git/open-repository.ts'
export type { Commit } from './git/parse/parse-commit.ts'
export type { Person } from './git/parse/parse-person.ts'
export type { Ref } from './git/refs/read-refs.ts'
export {
  GIT_FAULTS,
  type GitFault,
  type GitFaultCode,
  type VerifyOptions,
  verifyRepository,
} from './git/verify/verify-repository.ts'

// Check archives

export type { RuleCode } from './base/rule-codes.ts'
export {
  type CheckOptions,
  type CheckResult,
  checkDatabase,
  type Finding,
  type IncompleteCheck,
} from './conformance/checks/check-database.ts'
export { CHECKS } from './conformance/checks/checks.ts'
export type { ImportLine } from './conformance/checks/importer.ts'
export type { VerifiedGit } from './conformance/checks/verify-git.ts'
export {
  type Check,
  type Evidence,
  type Fault,
  type Faults,
  PROFILES,
  type Profile,
  type Rule,
  type Severity,
} from './rules/rule.ts'
export { RULES } from './rules/rules.ts'

// Make archives: build, export, compare, rename and redact

export { buildArchive } from './build/build-archive.ts'
export type { BuildOptions, BuildProgress, SplitBy } from './build/build-options.ts'
export { type ArchivePart, type SplitOptions, splitArchive } from './build/split-archive.ts'
export { type ExportOptions, exportArchive } from './compose/export-archive.ts'
export type { ExportForm } from './compose/export-form.ts'
export type {
  ExportSource,
  FileToExport,
  KindSources,
  RecordSources,
  RecordToExport,
  RepositoryToExport,
  Source,
} from './compose/export-source.ts'
export { diffDatabases } from './transform/diff/diff-databases.ts'
export type {
  Change,
  ChangeType,
  CommitDetail,
  DiffOptions,
  MemberChange,
  MovedCommit,
  MovedCommits,
} from './transform/diff/diff-options.ts'
export { diffAsSql } from './transform/diff/sql-patch.ts'
export type { IdentityMap, Renaming } from './transform/map/identity-map.ts'
export { type MapDatabaseOptions, mapDatabase } from './transform/map/map-database.ts'
export type { MapOptions, Unmapped } from './transform/map/map-records.ts'
export type { MapPlace, MapReport } from './transform/map/map-report.ts'
export type { MergedPeople } from './transform/map/merge-people.ts'
export { parseUsers, type UserLines } from './transform/map/parse-users.ts'
export { redactDatabase } from './transform/redact/redact-database.ts'
export type {
  GitPartReport,
  RedactedPlace,
  RedactOptions,
  RedactReport,
} from './transform/redact/redact-options.ts'

// Export to other engines

export type { TableSummary } from './exporters/dataset/manifest.ts'
export {
  type ExportDataSource,
  type ExportSummary,
  exportData,
  removePartition,
} from './exporters/export-data.ts'
export type {
  Compression,
  ExportDataOptions,
  ExportFormat,
  RemoveOptions,
} from './exporters/export-options.ts'
export type { StoreOptions } from './exporters/exporter.ts'
export {
  type ExportMarkdownOptions,
  exportMarkdown,
  type MarkdownSummary,
} from './exporters/markdown/export-markdown.ts'
export {
  type ExportDifference,
  type ExportVerification,
  type VerifyExportOptions,
  verifyExport,
} from './exporters/verify/verify-export.ts'

// Fetch archives from a server, or be one

export { createToken } from './client/authorize.ts'
export type { ClientClock, ClientOptions, Exchange, OtpDelivery } from './client/client-options.ts'
export { deleteArchive } from './client/delete-archive.ts'
export {
  type Download,
  type DownloadOptions,
  downloadArchive,
  getArchiveAddress,
} from './client/download/download-archive.ts'
export { importArchive } from './client/import/import-archive.ts'
export type {
  ImportedRepository,
  ImportOptions,
  ImportProgress,
} from './client/import/import-options.ts'
export type { ImportState, Mannequin } from './client/import/importer.ts'
export {
  listMannequins,
  type MannequinOptions,
  type Reclaim,
  type Reclaimed,
  reclaimMannequins,
} from './client/import/mannequins.ts'
export type { ImportLog, LogFinding } from './client/import/read-log.ts'
export {
  getMigration,
  listMigrationRepositories,
  listMigrations,
  listOwnRepositories,
} from './client/list-migrations.ts'
export type { Migration, MigrationState } from './client/migration.ts'
export { type StartOptions, startMigration } from './client/start-migration.ts'
export { type Unlocked, unlockRepositories } from './client/unlock-repositories.ts'
export { type WatchOptions, watchMigration } from './client/watch-migration.ts'
export type { AccountsFile } from './http/access/accounts-file.ts'
export type { LogEntry } from './http/request-log.ts'
export type { SiteSummary, WriteSiteOptions } from './pages/site/site-options.ts'
export { writeSite } from './pages/site/write-site.ts'
export type { ServedContents } from './reading/served-contents.ts'
export type { ServeOptions } from './rest/serve-options.ts'
export { type ArchiveServer, serveArchive } from './serve/serve-archive.ts'
export { type PageServer, type ServePagesOptions, servePages } from './serve/serve-pages.ts'
export type { SourceOptions } from './sources/source-options.ts'
export {
  type ValidatedKind,
  type ValidateOptions,
  type Validation,
  validateArchive,
} from './validate/validate-archive.ts'

// Errors and problems, and what all parts share

export { ERRORS, type ErrorCode, PROBLEMS, type ProblemCode } from './base/error-codes.ts'
export {
  ArchiveError,
  describePlace,
  type ExceededLimit,
  type Place,
  type Problem,
  type Report,
} from './base/errors.ts'
export type { Bytes } from './base/streams.ts'
