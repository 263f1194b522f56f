#ifndef FENCEWRIGHT_PROCESSTHREADSAPI_H
#define FENCEWRIGHT_PROCESSTHREADSAPI_H
/* Of Windows, the heavy fence. */
#ifdef __cplusplus
extern "C" {
#endif
void FlushProcessWriteBuffers(void);
#ifdef __cplusplus
}
#endif
#endif
