import type { Check } from '../rules/rule.ts'
import { recordsWhere } from '../rules/sql/select-records.ts'

/** Issues, pull requests and the rules of branches. */
export const pullRequestChecks: readonly Check[] = [
  {
    code: 'protected-branch',
    severity: 'note',
    summary: 'Importers were seen to fail on protected branches: if yours does, leave them out',
    evidence: 'documented',
    source: "importer's error message: LoadProtectedBranchJob failed",
    run: (_, faults) =>
      faults.addAll(recordsWhere('protected_branches', '1', "'protects ' || coalesce(o.name, '')")),
  },
]
