import type { Programs } from './work/run.ts'

/** The programs that can run in a thread or process of their own, by name. */
export const PROGRAMS: Programs = {
  build: async () => (await import('./rest/state/build-migration.ts')).buildCounted,
  claim: async () => (await import('./rest/state/claim-mannequin.ts')).claimMannequin,
  import: async () => (await import('./rest/state/import-archive.ts')).importArchive,
  command: async () => (await import('./cli/command-program.ts')).runCommand,
  export: async () => (await import('./cli/process/export-program.ts')).exportSources,
  markdown: async () => (await import('./exporters/markdown/render-share.ts')).renderShare,
  statement: async () => (await import('./cli/shell/statement-program.ts')).runStatement,
  git: async () => (await import('./rest/git-worker/git-worker.ts')).writeGit,
  index: async () => (await import('./reading/index/index-program.ts')).indexDatabases,
  'task-query': async () => (await import('./tasks/tasks.ts')).answerQuery,
  'task-search': async () => (await import('./tasks/tasks.ts')).findTexts,
  'task-written': async () => (await import('./tasks/tasks.ts')).findWrittenTexts,
  'task-blame': async () => (await import('./tasks/tasks.ts')).blameFile,
  'task-check': async () => (await import('./tasks/tasks.ts')).checkPath,
  attach: async () => (await import('./tasks/tasks.ts')).attachParts,
  merge: async () => (await import('./tasks/tasks.ts')).mergeParts,
  'search-index': async () => (await import('./tasks/make-search-index.ts')).makeSearchIndex,
}
