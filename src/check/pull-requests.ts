import type { Check } from './check.ts'
import { recordsWhere } from './select-records.ts'

/** Issues, pull requests and the rules of branches. */
export const pullRequestChecks: readonly Check[] = [
  {
    code: 'number-shared',
    severity: 'error',
    summary: 'Issues and pull requests share one sequence of numbers: only one can be imported',
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'pull_requests',
          "EXISTS (SELECT 1 FROM issues AS i WHERE i.url = replace(o.url, '/pull/', '/issues/'))",
          "'an issue has this number too'",
        ),
      ),
  },
  {
    code: 'merged-not-closed',
    severity: 'warning',
    summary: 'What was merged is closed as well; an importer may show it as open',
    source: 'observed in real exports',
    run: (_, faults) =>
      faults.addAll(
        recordsWhere(
          'pull_requests',
          'o.merged_at IS NOT NULL AND o.closed_at IS NULL',
          "'merged_at is set, closed_at is null'",
        ),
      ),
  },
  {
    code: 'protected-branch',
    severity: 'note',
    summary: 'Importers were seen to fail on protected branches: if yours does, leave them out',
    source: "importer's error message: LoadProtectedBranchJob failed",
    run: (_, faults) =>
      faults.addAll(recordsWhere('protected_branches', '1', "'protects ' || coalesce(o.name, '')")),
  },
]
