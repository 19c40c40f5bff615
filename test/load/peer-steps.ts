// How each of the four programs is installed and filled with the machines of the large market, step by step, for whoever checks the comparison.

export const pageSize = 12

/** Columns of the file with the machines. */
export const csvColumns = 'id, name, province_id, father_category_id, month_price'

/** The table of the machines in the peer's own database, before they go where the peer has its rows. */
const loadedBy = (
  database: string,
) => `In a PostgreSQL of your own (18, with shared_buffers = 256MB, as the product's): createdb ${database}; then in psql ${database}:
       create table machine (id bigint primary key, name text, province_id int, father_category_id int, month_price int);
       \\copy machine from 'EQUIPMENT_CSV' csv header`

export const steps: Record<'vendure' | 'payload' | 'directus' | 'strapi', readonly string[]> = {
  vendure: [
    loadedBy('vendure'),
    `npx @vendure/create vendure; choose "Manual Configuration", Postgres, the database vendure, a password of your own for the superadmin
       (with the default one it does not start in production), and no sample products.`,
    `In src/vendure-config.ts give Product three fields and allow lists of ${pageSize}: customFields: { Product: ['provinceId', 'fatherCategoryId', 'monthPrice']
       .map((name) => ({ name, type: 'int', public: true })) }, and in apiOptions shopListQueryLimit: ${pageSize}.`,
    'npx vendure migrate: generate a migration with any name, then run it.',
    `In psql vendure (names of columns as \\d product shows them):
       insert into product (id, "createdAt", "updatedAt", enabled, "customFieldsProvinceid", "customFieldsFathercategoryid", "customFieldsMonthprice")
         select id, now(), now(), true, province_id, father_category_id, month_price from machine;
       insert into product_translation ("createdAt", "updatedAt", "languageCode", name, slug, description, "baseId")
         select now(), now(), 'en', name, 'machine-' || id, '', id from machine;
       insert into product_channels_channel ("productId", "channelId") select id, 1 from machine;
       create index on product ("customFieldsProvinceid"); create index on product ("customFieldsFathercategoryid");
       create index on product ("customFieldsMonthprice"); vacuum (analyze)`,
    'In .env set APP_ENV=prod. npm run build:server; NODE_ENV=production npm run start:server, which listens on port 3000.',
  ],
  payload: [
    loadedBy('payload'),
    'npx create-payload-app --name payload --template blank --db postgres; the address of the database payload goes into .env as DATABASE_URL.',
    `In src/payload.config.ts add to collections: { slug: 'equipment', access: { read: () => true }, fields: [{ name: 'name', type: 'text' },
       ...['provinceId', 'fatherCategoryId', 'monthPrice'].map((name) => ({ name, type: 'number' as const, index: true }))] }.`,
    'npm run payload migrate:create; npm run payload migrate.',
    `In psql payload:
       insert into equipment (id, name, province_id, father_category_id, month_price, updated_at, created_at)
         select id, name, province_id, father_category_id, month_price, now(), now() from machine;
       vacuum (analyze)`,
    'npm run build; npm start, which listens on port 3000.',
  ],
  directus: [
    loadedBy('directus'),
    `In psql directus: alter table machine rename to equipment; create index on equipment (province_id); create index on equipment (father_category_id);
       create index on equipment (month_price); vacuum (analyze)`,
    'npm init directus-project directus; choose PostgreSQL and the database directus.',
    'npx directus start in its folder, which listens on port 8055. In Settings, Data Model: make the table equipment a collection.',
    `In Settings, Access Policies, Public: allow Read of all fields of equipment. In .env set RATE_LIMITER_ENABLED=false, CACHE_ENABLED=false and
       LOG_LEVEL=error (in the bench the product writes no line for each answer either); start it again with NODE_ENV=production.`,
  ],
  strapi: [
    loadedBy('strapi'),
    'npx create-strapi@latest strapi --dbclient=postgres --dbname=strapi --skip-cloud --no-run, with --dbhost, --dbport, --dbusername and --dbpassword.',
    `npm run develop; in the Content-Type Builder add the collection type machine with the text field name and the number (integer) fields provinceId,
       fatherCategoryId and monthPrice, without Draft & Publish; in Settings, Users & Permissions, Roles, Public: allow find of machine.`,
    `In psql strapi:
       insert into machines (id, document_id, name, province_id, father_category_id, month_price, created_at, updated_at, published_at)
         select id, 'm' || id, name, province_id, father_category_id, month_price, now(), now(), now() from machine;
       create index on machines (province_id); create index on machines (father_category_id); create index on machines (month_price); vacuum (analyze)`,
    `In config/middlewares.ts take out 'strapi::logger' (in the bench the product writes no line for each answer either). npm run build;
       NODE_ENV=production npm start, which listens on port 1337.`,
  ],
}
