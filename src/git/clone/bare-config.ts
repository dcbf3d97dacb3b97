/** What says that a repository is bare, and nothing else: a found one may run programs or hold secrets. */
export const BARE_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n'

/** The same for a repository with its files beside it. */
export const WORK_TREE_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'
