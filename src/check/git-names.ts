const PREFIX = 'tarball://root/repositories/'

/** The name under which refs and files have the Git data of a repository, by its url, in SQL; NULL for none. */
export const gitNameOf = (url: string): string =>
  `(SELECT substr(g.git_url, ${PREFIX.length + 1}, length(g.git_url) - ${PREFIX.length + 4})
    FROM repositories AS g WHERE g.url = ${url} AND g.git_url GLOB '${PREFIX}?*.git')`

/** Whether that repository has a ref with this name, in SQL. */
export const hasRef = (url: string, name: string): string =>
  `EXISTS (SELECT 1 FROM refs WHERE repository = ${gitNameOf(url)} AND name = ${name})`

/** Whether it has any branch: where it has none, that is one fault and not one in each record. */
export const hasBranches = (url: string): string =>
  `EXISTS (SELECT 1 FROM refs WHERE repository = ${gitNameOf(url)} AND name GLOB 'refs/heads/*')`
