import type { ArchiveError, ErrorCode, ProblemCode } from '../base/errors.ts'
import { DEEPEST } from '../base/limits.ts'
import { SOURCES } from '../sources/sources.ts'
import { AdvisedError, shellWord } from './command/usage-error.ts'

/** The advice that the command line prints below an error. */
export const remedyFor = (error: ArchiveError): string =>
  (error instanceof AdvisedError ? error.advice : undefined) ??
  (error.meant === undefined ? undefined : `Did you mean ${error.meant}?`) ??
  foreignRemedy(error) ??
  addressRemedy(error) ??
  nameRemedy(error) ??
  depthRemedy(error) ??
  REMEDIES[error.code].replace('<what is missing>', () => error.value ?? '<package>')

const DOWNLOAD_AGAIN = 'Download the archive again'

/** The end of the remedies for damage, for commands that do not recover themselves. */
export const RECOVER = 'or load what is readable into a database: marc load <archive> --salvage'
/** What is loaded already is not loaded again. */
const ANEW =
  'into a new database, or over this one without your changes: marc load <archive> -o <database> --force'
const IF_TRUSTED = 'if you trust the archive.'

/** Damage that a backup or export of another program has when a file of it is broken. */
const BROKEN: ReadonlySet<ErrorCode> = new Set([
  'json-damaged',
  'git-object-damaged',
  'git-object-missing',
  'git-incomplete',
])

/** Damage of the file that a backup or export is packed in. */
const CUT: ReadonlySet<ErrorCode> = new Set([
  'gzip-damaged',
  'gzip-truncated',
  'tar-damaged',
  'tar-truncated',
  'zip-damaged',
])

/** How to turn an unsupported clone into a supported one, by its form. */
const GIT_FORMS: Readonly<Record<string, string>> = {
  alternates:
    'Copy what it borrows into it: git repack -a -d. Then delete the file objects/info/alternates.',
  shallow: 'Fetch the rest into it: git fetch --unshallow',
  grafts: 'Delete the file info/grafts.',
  elsewhere: 'Put a clone of that repository in its place: git clone --mirror',
  reftable: 'Move its refs into files: git refs migrate --ref-format=files',
  sha256:
    'Copy it into a new repository with SHA-1 ids: git fast-export --all | git -C <new> fast-import. Name that with --repo-git; if the export has Git data itself, load it with --salvage as well.',
}

/** The advice on an address in the place of a file. */
function addressRemedy({ code, place: { archive = '' } }: ArchiveError): string | undefined {
  return code === 'archive-not-found' && /^https?:\/\//.test(archive)
    ? `Download it first: curl -fLO ${shellWord(archive)}`
    : undefined
}

/** The advice on a name that is there, but cannot be passed on: Node.js puts U+FFFD in the place of bytes that are not UTF-8. */
const nameRemedy = ({ code, place: { archive = '' } }: ArchiveError): string | undefined =>
  /^(?:archive|database)-not-found$/.test(code) && archive.includes('\ufffd')
    ? 'If it is there, its name is not UTF-8: rename it.'
    : undefined

/** The advice on a depth that no option allows. */
const depthRemedy = ({ code, limit }: ArchiveError): string | undefined =>
  code === 'limit-depth' && limit?.allowed === DEEPEST
    ? `SQLite reads no deeper JSON, so --max-depth cannot allow it: leave the record out, ${RECOVER}`
    : undefined

/** The advice on an error about a backup or export of another program, if another one helps than for an archive. */
function foreignRemedy({ code, place, value = '' }: ArchiveError): string | undefined {
  if (code === 'source-unsupported' && SOURCES.some(({ is }) => is === value)) {
    return 'This command takes archives alone. Make one: marc build <archive> -o archive.tar.gz'
  }
  const source = SOURCES.find(({ is }) => is === place.form)
  if (!source) return undefined
  if (code === 'git-unsupported') return GIT_FORMS[value]
  if (BROKEN.has(code)) return `${source.again}, ${RECOVER}`
  if (CUT.has(code)) return `Copy or download the file again, ${RECOVER}`
  if (code === 'source-damaged') {
    return `${source.again}. If this is a part of it, name the folder that holds all of it.`
  }
  return code === 'source-unsupported'
    ? 'Update migration-archive: a newer version may read it.'
    : undefined
}

/** Advice on a problem, if its description is not enough. */
export const PROBLEM_REMEDIES: Readonly<Partial<Record<ProblemCode, string>>> = {
  'archive-older': 'load it first, or use --newest-wins',
}

const LIMITS = [
  'path',
  'parts',
  'header',
  'members',
  'depth',
  'record',
  'entries',
  'expansion',
  'extracted',
] as const

/** Advice for commands without the option that the usual advice names. */
export const WITHOUT_OPTION: Readonly<
  Partial<Record<ErrorCode, { readonly option: string; readonly advice: string }>>
> = {
  ...Object.fromEntries(
    LIMITS.map((name) => {
      const option = `max-${name}`
      const advice = `If you trust the archive, load it first: marc load <archive> --${option} <n>`
      return [`limit-${name}`, { option, advice }]
    }),
  ),
  'database-full': {
    option: 'output',
    advice: 'Free disk space, or name another folder for the cache of archives in XDG_CACHE_HOME.',
  },
  'output-exists': { option: 'force', advice: 'Name another output.' },
}

/** Advice on each error. */
export const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  // Reading archives
  'archive-not-found': 'Check the path.',
  'archive-unreadable': 'Check that the file can be read.',
  'not-an-archive':
    'Name a tar.gz, a tar, an unpacked folder or a zip of it. If this was downloaded, get a new link: links expire after seven days.',
  'archive-unsupported':
    'Unpack it and name the folder, or repack it with: tar -czf archive.tar.gz -C <folder> .',
  'archive-is-json': `Name the folder that contains the file. If it holds an error message, download the archive again.`,
  'archive-is-database': 'Name the database itself: marc inspect <database>',
  'archive-unrecognized':
    'Name the archive itself, or the folder that contains schema.json or files such as issues_000001.json. What else is read: marc help sources',
  'archive-several': 'Put each export into a folder or archive of its own, and name these.',
  'source-unsupported':
    'Name a migration archive of GitHub, or a file or folder of a form that is read: marc help sources',
  'source-damaged':
    'Make the backup or export again, whole, or name the folder that holds all of it. Forms and their parts: marc help sources',
  'gzip-damaged': `${DOWNLOAD_AGAIN} and compare its size with what the server announces, ${RECOVER}`,
  'gzip-truncated': `The download stopped early: download the archive again, ${RECOVER}`,
  'zip-damaged':
    'Copy or download the zip file again, or unpack what can be read of it and name the folder.',
  'tar-damaged': `${DOWNLOAD_AGAIN} and compare its size with what the server announces, ${RECOVER}`,
  'tar-truncated': `The download stopped early: download the archive again, ${RECOVER}`,
  'path-hostile': 'The source names a file outside itself: do not trust it.',
  'json-damaged': `${DOWNLOAD_AGAIN}, ${RECOVER}`,
  'json-not-array':
    'A record file holds one array of objects. From a folder with other JSON, marc build makes an archive.',
  'entry-not-found': 'List the entries with: marc ls <archive>',
  // Limits
  'limit-path': `Raise --max-path ${IF_TRUSTED}`,
  'limit-parts': `Raise --max-parts ${IF_TRUSTED}`,
  'limit-header': `Raise --max-header ${IF_TRUSTED}`,
  'limit-members': `Raise --max-members ${IF_TRUSTED}`,
  'limit-depth': `Raise --max-depth ${IF_TRUSTED}`,
  'limit-record': `Raise --max-record ${IF_TRUSTED}`,
  'limit-entries': `Raise --max-entries ${IF_TRUSTED}`,
  'limit-expansion': `Raise --max-expansion ${IF_TRUSTED}`,
  'limit-extracted': `Raise --max-extracted ${IF_TRUSTED}`,
  'limit-time':
    'Simplify the pattern: repetitions within repetitions take long. Or search for text with -F.',
  'limit-memory': 'Raise --max-memory, or select smaller values.',
  'limit-rows': 'Raise --max-rows, or select fewer rows with LIMIT.',
  'limit-message': 'Restart the server in the client, and ask for less at once.',
  // Databases
  'database-not-found': 'Create one with: marc load <archive>',
  'database-foreign': 'Name a database that marc load created, or an archive.',
  'database-newer': 'Update migration-archive.',
  'database-older':
    'Load its archives again with this version: marc load <archive> -o <database> --force',
  'database-damaged': `Undo what you changed with SQL, or load the archives ${ANEW}`,
  'database-busy': 'Wait until the other program has finished.',
  'database-read-only': 'Make the file writable, or copy it and name the copy.',
  'database-full': 'Free disk space, or name another place with --output.',
  'content-missing': `Load the archives with their files, ${ANEW} (marc build can also leave files out: --no-files)`,
  'kind-not-found': 'List the kinds with: marc tables <database>',
  'record-ambiguous': 'Name it in full: owner/name, or owner/name#12.',
  'record-not-found': 'Find it with: marc search <database> <words>',
  'records-not-found':
    'Choose more: a record has to meet all options of the selection, and people come only with what they did.',
  // Queries and search
  'query-invalid': 'See the tables and columns with: marc schema <database>',
  'table-empty': 'Fill it with: <what is missing>',
  'query-timeout': 'Allow more time with --timeout, or select less.',
  'query-busy': 'Ask again when other questions are answered.',
  'query-writes': 'A query is one statement that reads and returns rows.',
  'search-invalid':
    'Write words, "a phrase", begin*, title:word; join them with OR, NOT and parentheses.',
  'search-index-missing': 'Create it with: marc search <database> <words>',
  // Git
  'repository-not-found': 'List them with: marc repo list <archive>',
  'git-revision-not-found': 'List the refs with: marc repo refs <database> <owner/name>',
  'git-path-not-found':
    'List what is there with: marc repo show <database> <owner/name> <revision>:',
  'git-object-damaged': 'Find all damage with: marc repo fsck. Then download the archive again.',
  'git-object-missing':
    'Find all missing objects with: marc repo fsck. Then look for them where the archive came from.',
  'git-too-large': 'Raise --max-object, or write the repository to disk with: marc repo clone',
  'git-directory': 'Name a bare repository, such as git clone --mirror makes.',
  'git-link': 'Replace the link with the file itself.',
  'git-incomplete':
    'Fetch what is missing and store it in the repository itself: git repack -a -d. Or make the export again, whole.',
  'git-ref-dangling': 'Fetch what it names, or delete it with: git update-ref -d',
  'git-ref-invalid': 'Delete it, or rename it as git check-ref-format allows.',
  'git-refs-damaged': 'Delete it, or restore the object id in it.',
  'git-unsupported': 'Use a SHA-1 repository with refs in files; importers read no other.',
  // Servers
  'address-in-use': 'Stop that program, or choose another port: --port 0 takes any free one.',
  'address-refused':
    'Listen on 127.0.0.1, pass --tls-cert and --tls-key, or accept that others can read along: --insecure',
  'map-invalid':
    'Correct that. See the forms with: marc map --help. Begin a users.csv with: marc map <source> --template',
  'map-collision': 'Give each a name of its own. Two people may become one with: --merge',
  'map-incomplete': 'Add lines for them, or keep their names with: --unmapped keep',
  'redaction-incomplete':
    'Nothing was written. Leave out the record with --not --where, or the contents of the file with --drop-file; or report this.',
  'person-not-found': 'List them with: marc query <database> "select login from people"',
  'milestone-not-found':
    'List them with: marc query <database> "select full_name, title from milestones"',
  'label-not-found': 'List them with: marc query <database> "select full_name, name from labels"',
  // Outputs
  'output-exists': 'Name another output, or pass --force.',
  'output-full': 'Free disk space, or name another output.',
  'dataset-foreign':
    'Name an empty folder, schema or database, or one that marc export made in this format.',
  'dataset-newer': 'Install a newer version of marc, or export to another place.',
  'package-missing':
    'Install it beside marc: npm install -g <what is missing> (in a project without -g, in a clone with --no-save -D in its place)',
  'target-failed':
    'Check the address, the password or keys, and your rights. If you may not create tables, --ddl prints the statements.',
  'partition-busy': 'Wait until it is done, or leave out --no-wait.',
  'output-failed': 'Free disk space at the output, or name another place.',
  'output-refused': 'Check that the folder exists and is writable.',
  'entry-repeated': 'Give each a different path in the tables record_files and files.',
  // Records and files to be written
  'commit-id': 'Write the full commit ID, forty hexadecimal digits.',
  'content-not-bytes': 'Pass bytes as Uint8Array, or a whole string; set no encoding on a stream.',
  'content-size': 'Announce the exact size, and do not write to a file while it is read.',
  'date-range': 'Write the date when it happened, or null where a record may have none.',
  'date-form': 'Write dates in UTC, to the second, such as 2024-01-31T23:59:59Z.',
  'description-controls': 'Replace line breaks and control characters with spaces.',
  'emails-null': 'Write an empty array if there are no addresses.',
  'file-missing':
    'Add the file that the record names, delete the record too, or leave files out: --no-files',
  'file-orphan': 'Add a record for the file.',
  'file-path': 'Put files into the folders attachments, repository_files or releases.',
  'file-shared': 'Give each record a different path, even for the same content.',
  'file-unreadable': 'Check that the path names a readable file.',
  'git-missing': `Add the rest of the repository, or leave files out: --no-files. If it was deleted with SQL, load the archives ${ANEW}`,
  'git-orphan': 'Add a record for the repository.',
  'kind-name': 'Name a kind in the plural, in lowercase letters, digits and _, such as issues.',
  'kind-unknown':
    'Correct its name. Kinds of your own belong to otherRecords, known ones to records.',
  'label-color': 'Write six hexadecimal digits without #, such as d73a4a.',
  'label-url': 'Write URLs of labels as the host does: repository/labels/name.',
  'list-element': 'List each element once, without null.',
  'list-expected': 'Write an empty array if there is nothing to list.',
  'member-absent': 'Add the member.',
  'member-missing': 'Add the member: importers fail without it.',
  'member-null': 'Write a value.',
  'member-type': 'Write the type that the column has in: marc schema',
  'name-url': 'Write the name that the URL ends with.',
  'event-unknown': 'Correct the name, or let it be if the host has made a new event.',
  'merged-not-closed': 'Set closed_at too.',
  'number-shared': 'Give issues and pull requests different numbers.',
  'owner-nested': 'Write owner/name, such as a-b/name for a/b/name.',
  'parent-ambiguous': 'Keep exactly one of the members that say what the record belongs to.',
  'record-duplicate': 'Give each record a different URL.',
  'record-not-json':
    'Use what JSON has: strings, finite numbers, true, false, null, arrays and plain objects.',
  'record-not-object': 'Pass one object for each record.',
  'record-type': 'Write the type of the kind.',
  'record-without-url': 'Give the record a URL.',
  'ref-length': 'Shorten the name.',
  'ref-like-commit': 'Rename the branch: forty hexadecimal digits are read as a commit.',
  'ref-name': 'Rename the branch or tag.',
  'reference-label': 'List the label in its repository, or leave it out.',
  'reference-person': 'Add the user, or write null.',
  'reference-record': 'Add the record, or write null.',
  'tarball-escape': 'Name the file by its plain path in the archive.',
  'tarball-folder': 'Put the file where the host puts files of its kind.',
  'tarball-form': 'Write tarball://root/ and the path in the archive.',
  'thread-missing': 'Name the review thread.',
  'url-shape': 'Write URLs as the host does, or describe yours with urls and the form exporter.',
  'value-empty': 'Write a title or name.',
  'value-unknown': 'Write one of the values that the message lists.',
  'url-unusual': 'Write URLs as the host does.',
  'wiki-head': "Let the wiki's HEAD name master.",
  'wiki-url-empty':
    'Leave wiki_url out if there is no wiki. In a database, set it to NULL and take its name out of _member_order, or set that to NULL too.',
  // Servers
  'accounts-invalid': 'Correct it, or make one with: marc accounts user <file> <login>',
  'folder-foreign':
    'Name another folder, for a server with --state. If it is yours, let only you write to it: chmod go-w <folder>',
  'folder-linked': 'Remove the link, or name another folder, for a server with --state.',
  'state-foreign': 'Name another folder with --state.',
  'state-newer': 'Update migration-archive, or name another folder with --state.',
  // Migrations on a server
  'server-unreachable': 'Check the address and the network. A download continues where it stopped.',
  'server-failed': 'Try again later; --verbose shows the requests.',
  'server-insecure': 'Use https, or accept that others can read along: --insecure',
  'credentials-missing': 'Name a file with a token: --token-file, or set MARC_TOKEN.',
  'credentials-refused':
    'Check it: a token must be valid, and have the scope repo, to import admin:org; a one-time password is good for a minute.',
  'otp-required': 'Run the command at a terminal, where it asks for the one-time password.',
  'sso-required': 'Open the address in a browser, authorize the token, and try again.',
  'rate-limited':
    'Try again then. Commands wait for up to an hour by themselves, or as long as --timeout says.',
  'preview-refused': 'Check the address: the base address of a server often ends in /api/v3.',
  'request-refused':
    'Check what it names, your administration rights, the scopes of the token (repo, and to import admin:org), and the base address, which often ends in /api/v3.',
  'migration-not-found': 'List them with: marc migration list. For an organization, pass --org.',
  'migration-failed': 'Start it again: marc migration start <repositories>',
  'migration-timeout': 'The server goes on. Wait again with: marc migration watch <id>',
  'archive-not-ready': 'Wait for it with: marc migration download <id> --wait',
  'archive-gone': 'Archives are deleted after seven days. Start another: marc migration start',
  'download-damaged':
    'Download it again; the part is kept until then. Or load the part with: --salvage',
  'download-busy': 'Wait until it is done, or download to another file with --output.',
  'download-changed': 'Try again when the server has settled, or start another migration.',
  'archive-changed': 'Start again when nothing writes to the archive.',
  'upload-busy': 'Wait until it is done, or end that process.',
  'check-failed':
    'See them with: marc check <archive>. To import it nevertheless, pass --allow-invalid.',
  'name-taken': 'Choose another name with --repo, or rename the repository there.',
  // The command line itself
  interrupted: 'Nothing was changed.',
  'option-invalid': 'Pass what the message asks for, or leave the option out.',
  usage: 'See: marc --help',
}
