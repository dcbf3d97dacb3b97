-- Which files did people upload, how large are they, and where do they belong?
WITH uploads AS (
  SELECT asset_url AS address, asset_content_type AS media_type, user_login, parent AS belongs_to
  FROM attachments
  UNION ALL
  SELECT file_url, file_content_type, user_login, repository FROM repository_files
)
SELECT f.size, u.media_type, u.user_login, u.belongs_to, f.path
FROM uploads AS u
LEFT JOIN files AS f ON 'tarball://root/' || f.path = u.address
ORDER BY f.size DESC;
