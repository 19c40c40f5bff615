-- A file is attached for one purpose for good, so a private paper never becomes a public picture. Where an older file was attached for several,
-- the most private one counts. Who may read a file follows from what it is attached to; `access` is only for the version before this one, which
-- may still run, and is dropped with the next.
alter table file add column purpose text check (
  purpose in ('certification', 'blacklist', 'feedback', 'machineDocument', 'demandAttachment', 'machinePicture', 'article')
);
alter table file alter column access set default 'owner';
create index equipment_image_file on equipment_image (file_id);
create index equipment_document_file on equipment_document (file_id);
update file set purpose = case
  when exists (select 1 from certification_document where file_id = file.id) then 'certification'
  when exists (select 1 from blacklist_file where file_id = file.id) then 'blacklist'
  when exists (select 1 from feedback_image where file_id = file.id) then 'feedback'
  when exists (select 1 from equipment_document where file_id = file.id) then 'machineDocument'
  when exists (select 1 from demand_attachment where file_id = file.id) then 'demandAttachment'
  when exists (select 1 from equipment_image where file_id = file.id) then 'machinePicture'
  when exists (select 1 from article_image where file_id = file.id) then 'article'
end;
