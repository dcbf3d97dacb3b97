/** The rules for records and files that are to be written: how to mend a breach, and what a report calls it, by code. */
const RULE_CODES = {
  'commit-id': [
    'Write the full id of the commit, forty hexadecimal digits.',
    'a commit is named by something other than forty hexadecimal digits',
  ],
  'date-form': [
    'Write dates in UTC, to the second, such as 2024-01-31T23:59:59Z.',
    'a date is not in UTC to the second',
  ],
  'description-controls': [
    'Put a space in place of line breaks and control characters.',
    'a description has a line break or control character',
  ],
  'emails-null': ['Write an empty array where there are no addresses.', 'emails is null'],
  'file-missing': [
    'Give the file that the record names, delete the record as well, or leave files out: --no-files',
    'a record names a file that is missing',
  ],
  'file-orphan': ['Give a record for the file.', 'no record names a file'],
  'file-shared': [
    'Give each record a path of its own, even for the same content.',
    'several records name one file',
  ],
  'git-missing': [
    'Give all of the repository: load the archive again; or leave files out: --no-files',
    'Git data is missing that a record names, or that was loaded',
  ],
  'git-orphan': ['Give a record for the repository.', 'no record names Git data'],
  'label-color': [
    'Write six hexadecimal digits without #, such as d73a4a.',
    'a color is not six hexadecimal digits',
  ],
  'label-url': [
    'Write URLs of labels as the host does: repository/labels/name.',
    'the URL of a label does not have the form of the host',
  ],
  'list-expected': [
    'Write an empty array where there is nothing to list.',
    'something other than an array stands where a list is expected',
  ],
  'member-absent': ['Write the member.', 'a member that all known records have is missing'],
  'member-missing': [
    'Write the member: importers fail without it.',
    'a member that importers need is missing',
  ],
  'member-null': ['Write a value.', 'a member that is never null in known records is null'],
  'member-type': [
    'Write the member with the type that the column has in: marc schema',
    'a member has another JSON type than its kind has',
  ],
  'merged-not-closed': ['Set closed_at as well.', 'a merged pull request is not closed'],
  'number-shared': [
    'Give issues and pull requests different numbers.',
    'an issue and a pull request share a number',
  ],
  'owner-nested': [
    'Write owner/name, such as a-b/name for a/b/name.',
    'a repository has two owners',
  ],
  'parent-ambiguous': [
    'Write exactly one of the members that say what the record belongs to.',
    'a record belongs to several others',
  ],
  'record-duplicate': [
    'Give each record a URL of its own.',
    'one url stands twice in an archive; the later record was kept',
  ],
  'record-type': [
    'Write the type of the kind.',
    'the type of a record does not fit its file; the type was believed',
  ],
  'record-without-url': [
    'Give the record a URL.',
    'a record without a url was kept without identity',
  ],
  'ref-length': ['Shorten the name.', 'the name of a ref has more than 255 bytes'],
  'ref-like-commit': [
    'Rename the branch: forty hexadecimal digits are taken for a commit.',
    'a branch or tag is named like a commit',
  ],
  'ref-name': ['Rename the branch or tag.', 'Git does not take the name of a branch or tag'],
  'reference-label': [
    'List the label in its repository, or leave it out.',
    'a label is named that no repository lists',
  ],
  'reference-person': [
    'Write the user that is referred to as well, or null.',
    'a person is named who has no record',
  ],
  'reference-record': [
    'Write the record that is referred to as well, or null.',
    'a record is named that is missing',
  ],
  'tarball-escape': [
    'Name the file by its plain path in the archive.',
    'a path leads out of the archive',
  ],
  'tarball-folder': [
    'Put the file where the host puts files of its kind.',
    'a file is in another folder than files of its kind',
  ],
  'tarball-form': [
    'Write tarball://root/ and the path in the archive.',
    'a file is not named as tarball://root/ and a path',
  ],
  'thread-missing': ['Name the review thread.', 'a review comment is in no thread'],
  'url-shape': [
    'Write urls as the host does, or describe yours with urls and the form exporter.',
    'a URL does not have the form that importers take apart',
  ],
  'url-unusual': [
    'Write urls as the host does.',
    'a URL does not have the form that all known ones have',
  ],
  'wiki-head': ['Let the HEAD of a wiki name master.', 'the HEAD of a wiki does not name master'],
  'wiki-url-empty': [
    'Leave wiki_url out where there is no wiki.',
    'wiki_url is empty where there is no wiki',
  ],
} as const satisfies Record<string, readonly [remedy: string, problem: string]>

export type RuleCode = keyof typeof RULE_CODES

export const isRuleCode = (code: string): code is RuleCode => Object.hasOwn(RULE_CODES, code)

const pick = (i: 0 | 1) =>
  Object.fromEntries(Object.entries(RULE_CODES).map(([code, texts]) => [code, texts[i]])) as Record<
    RuleCode,
    string
  >

export const RULE_REMEDIES = pick(0)
export const RULE_PROBLEMS = pick(1)
