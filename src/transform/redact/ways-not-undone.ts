/** Ways of writing a value in which it is not found, as the report names them. The guide has the same list. */
export const WAYS_NOT_UNDONE = [
  'dumps with columns, such as those of xxd',
  'lists of the numbers of bytes',
  'base32, base85 and uuencode',
  'text backwards or with exchanged letters, such as rot13',
  'strings that functions join, such as chr(64), or with different quotes',
  'addresses with spaces around the at sign',
  'names with joined words or a middle name in full, or with an initial for a word',
  'addresses in words and names with an initial, in names of branches and tags',
  'IPv4 addresses in names of hosts that do not begin with ec2- or ip-, in octal, or with two numbers',
  'pictures of text',
] as const
