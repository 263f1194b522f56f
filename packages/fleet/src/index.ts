// Jobs of batches on many machines, through BullMQ: in Redis, or in PostgreSQL.
export { readJob, type QueuedJob } from './job-schema.js';
export { NoStore, probe, storeAddress, type StoreAddress } from './store.js';
export {
  attempts,
  type QueuedJobEnd,
  type JobQueue,
  openQueue,
  type QueueCounts,
  type QueueWishes,
} from './job-queue.js';
export { type JobWorker, type JobOutcome, startWorker, type WorkerWishes } from './job-worker.js';
export { countsText, serveMetrics, type WorkerCounts } from './metrics.js';
