-- Which files did people upload, how large are they, and what do they belong to?
SELECT
  size,
  media_type,
  -- Records of releases do not say who uploaded their files.
  CASE WHEN kind IN ('attachment', 'repository_file') THEN coalesce(user_login, '(deleted)') END AS user_login,
  coalesce(parent, full_name) AS belongs_to,
  coalesce(path, address) AS path
FROM uploads
ORDER BY size DESC, path, url;
