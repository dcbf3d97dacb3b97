/**
 * The damage about which a check is silent, by the reason why that is right: what is damaged, and the ways. `silent-damage.test.ts`
 * compares it with a trial.
 */
export const ACCEPTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'The version of the host may be any': {
    'schema.json': ['with another byte at 0.5', 'with another byte at 0.75'],
  },
  'The end of a line may be missing': {
    'git: HEAD': ['without its last byte'],
    'git: packed-refs': ['without its last byte'],
    'git: refs/heads/main': ['without its last byte'],
    'git: refs/heads/new': ['without its last byte'],
    'git: refs/tags/v2.0': ['without its last byte'],
    'git: refs/heads/master': ['without its last byte'],
    'git: refs/remotes/origin/HEAD': ['without its last byte'],
  },
  'Git does without a config, and most of its values may be anything': {
    'git: config': [
      'removed',
      'renamed',
      'emptied',
      'cut in half',
      'without its last byte',
      'with another byte at 0.25',
      'with another byte at 0.5',
      'with another byte at 0.75',
      'with another byte at 1',
    ],
  },
  'Git does without the file, and takes any text in it': {
    'git: description': [
      'removed',
      'renamed',
      'emptied',
      'cut in half',
      'without its last byte',
      'with another byte at 0',
      'with another byte at 0.25',
      'with another byte at 0.5',
      'with another byte at 0.75',
      'with another byte at 1',
    ],
    'git: info/exclude': [
      'removed',
      'renamed',
      'emptied',
      'cut in half',
      'without its last byte',
      'with another byte at 0',
      'with another byte at 0.25',
      'with another byte at 0.5',
      'with another byte at 0.75',
      'with another byte at 1',
    ],
  },
  'A repository may have this ref, or not': {
    'git: packed-refs': ['with another byte at 0.5'],
    'git: refs/heads/main': ['removed', 'renamed'],
    'git: refs/heads/new': ['removed', 'renamed'],
    'git: refs/tags/v2.0': ['removed', 'renamed'],
    'git: refs/remotes/origin/HEAD': ['removed', 'renamed'],
  },
  'Nothing says what the file had': {
    'attachments/5f1c7a52-9d0e-4b61-8f3a-2c6d1e0b7a94/two-rings.png': [
      'with another byte at 0.25',
      'with another byte at 0.5',
      'with another byte at 0.75',
    ],
    'repository_files/18204417/sleep-log.txt': [
      'cut in half',
      'without its last byte',
      'with another byte at 0',
      'with another byte at 0.25',
      'with another byte at 0.5',
      'with another byte at 0.75',
      'with another byte at 1',
    ],
  },
  'Nothing refers to these records, and a kind without records has no file': {
    'the file of protected_branches': ['removed'],
    'the file of pull_request_review_comments': ['removed'],
    'the file of commit_comments': ['removed'],
    'a record of issue_comments': ['removed'],
    'the file of issue_comments': ['removed'],
    'a record of issue_events': ['removed'],
    'the file of issue_events': ['removed'],
    'a record of releases': ['removed'],
    'the file of releases': ['removed'],
    'a record of discussion_categories': ['removed'],
    'the file of discussions': ['removed'],
  },
}
