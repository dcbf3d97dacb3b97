import { flag, listOf, object, optional, text } from './kind.ts'

// GitHub added these settings over the years, each group as an object.

export const page = object(
  {
    cname: text('Custom domain; null if there is none.'),
    https_redirect: flag('Is a plain http request sent on to https?'),
    source: text('Where the site comes from, in older words; null.'),
    source_ref_name: text('Branch the site is made from, such as gh-pages.'),
    source_subdir: text('Folder the site is made from, such as /.'),
    is_public: flag('May everybody see the site?'),
    subdomain: text('Subdomain of the host given to the site; null for none.'),
    parent_domain: text('Domain above that one; null for none.'),
    theme: text('Name of the theme; null for none.'),
    build_type: text('How the site is made, such as legacy: by the host, from the branch.'),
  },
  'The web site published from the repository; null for none, absent before 2022.',
)

export const securitySettings = object(
  {
    dependency_graph: flag('Are dependencies read from manifests?'),
    vulnerability_alerts: flag('Do known holes in dependencies raise an alert?'),
    vulnerability_updates: flag('Do pull requests come for dependencies with known holes?'),
    advanced_security: flag('Is the paid security package on?'),
    token_scanning: flag('Are commits searched for secrets?'),
    token_scanning_push_protection: flag('Are pushes with secrets refused?'),
  },
  'Which security features are on; absent before mid-2022.',
)

export const generalSettings = object(
  {
    template: flag('Does it serve as a template for new repositories?'),
    allow_forking: flag('May it be forked?'),
    sponsorships: flag('Does it show a button for sponsors?'),
    // Missing for the first months of these settings.
    projects: optional(flag('Are project boards on?')),
    discussions: flag('Are discussions on?'),
    merge_commit: flag('May pull requests be merged with a merge commit?'),
    squash_merge: flag('May pull requests be merged as one commit?'),
    rebase_merge: flag('May pull requests be merged by rebasing?'),
    auto_merge: flag('May pull requests merge by themselves once all is well?'),
    delete_branch_heads: flag('Is the head branch deleted after a merge?'),
    update_branch: flag('Is bringing the head branch up to date always offered?'),
    git_lfs_in_archives: flag('Do source archives contain large files themselves?'),
  },
  'Settings of the repository; absent before mid-2022.',
)

export const actionsSettings = object(
  {
    actions_disabled: flag('Are workflows off?'),
    allows_all_actions: flag('May workflows use every action?'),
    allows_local_actions_only: flag('May workflows use only actions of the same owner?'),
    allows_github_owned_actions: flag('Are actions by the host itself allowed too?'),
    allows_verified_actions: flag('Are actions by verified authors allowed too?'),
    allows_specific_actions_patterns: flag('Are actions that match one of patterns allowed too?'),
    patterns: listOf('pattern', text('A pattern of names.'), 'Patterns of names of actions.'),
  },
  'Which actions workflows may use; absent before mid-2022.',
)
